from __future__ import annotations

import pytest

from operator_controller.resolver import DeprecationMessages, PackageDeprecations
from operator_controller.resolver.deprecations import deprecations_of
from tests.packages import a_deprecation

_MEMBERS = {"p.v1.0.0": frozenset({"slow", "stable"})}


def deprecations(*entries: tuple[str, str, str]) -> PackageDeprecations:
    return deprecations_of("p", [a_deprecation(*entry) for entry in entries], _MEMBERS)


def test_about_relates_messages_to_what_is_used() -> None:
    found = deprecations(
        ("olm.package", "", "the package"),
        ("olm.channel", "slow", "slow, first"),
        ("olm.channel", "fast", "fast"),
        ("olm.channel", "slow", "slow, second"),
        ("olm.bundle", "p.v1.0.0", "the bundle"),
        ("olm.bundle", "p.v2.0.0", "another bundle"),
        ("olm.other", "p", "unknown"),
    )
    messages = found.about(["slow"], "p.v1.0.0")
    assert messages == DeprecationMessages(("the package",), ("slow, first", "slow, second"), ("the bundle",))
    assert messages.all == ("the package", "slow, first", "slow, second", "the bundle")


@pytest.mark.parametrize(
    ("channels", "installed", "expected"),
    [
        pytest.param(["fast"], "p.v1.0.0", ("fast",), id="requested"),
        pytest.param([], "p.v1.0.0", ("slow",), id="channels that hold the installed bundle"),
        pytest.param([], "p.v9.0.0", (), id="installed bundle in no channel"),
        pytest.param([], None, (), id="nothing installed"),
    ],
)
def test_about_counts_channels(channels: list[str], installed: str | None, expected: tuple[str, ...]) -> None:
    found = deprecations(("olm.channel", "slow", "slow"), ("olm.channel", "fast", "fast"))
    assert found.about(channels, installed).channel == expected


def test_about_gives_an_empty_message_a_text() -> None:
    found = deprecations(("olm.package", "", ""), ("olm.channel", "slow", ""), ("olm.bundle", "p.v1.0.0", ""))
    assert found.about([], "p.v1.0.0").all == (
        'package "p" is deprecated',
        'channel "slow" is deprecated',
        'bundle "p.v1.0.0" is deprecated',
    )


def test_about_is_empty_without_deprecations() -> None:
    assert deprecations().about(["slow"], "p.v1.0.0") == DeprecationMessages()
