from __future__ import annotations

import pytest

from operator_controller.resolver import Chosen, Request, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed


def chosen(request: Request, *bundles: str, channels: dict[str, list[str]], deprecated: tuple[str, ...] = ()) -> str:
    answer = resolve(request, [a_catalog(a_package(bundles, channels, deprecated))])
    assert isinstance(answer, Chosen)
    return answer.bundle.name.removeprefix("p.v")


_SKIPPED = {"a": ["3.0.0 (R 1.0.0)", "2.0.0 (R 1.0.0)", "2.1.0 (S 3.0.0)", "1.0.0"]}


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        pytest.param(Request("p", installed=an_installed("1.0.0")), "2.0.0", id="below other successors"),
        pytest.param(Request("p", ">=3 || 1.0.0", installed=an_installed("1.0.0")), "3.0.0", id="above staying"),
        pytest.param(Request("p", ">=3"), "3.0.0", id="alone"),
        pytest.param(Request("p"), "2.1.0", id="nothing installed"),
    ],
)
def test_bundle_that_every_channel_skips_ranks_low(request_: Request, expected: str) -> None:
    assert chosen(request_, "1.0.0", "2.0.0", "2.1.0", "3.0.0", channels=_SKIPPED) == expected


def test_bundle_skipped_by_one_channel_only_is_not_skipped() -> None:
    channels = {**_SKIPPED, "b": ["3.0.0"]}
    assert chosen(Request("p"), "2.0.0", "2.1.0", "3.0.0", channels=channels) == "3.0.0"
    asked = Request("p", channels=("a",))
    assert chosen(asked, "2.0.0", "2.1.0", "3.0.0", channels=channels) == "2.1.0"


def test_deprecation_outweighs_skipping() -> None:
    assert chosen(Request("p"), "2.1.0", "3.0.0", channels=_SKIPPED, deprecated=("2.1.0",)) == "3.0.0"


def test_self_certified_stays_rather_than_moves_sideways() -> None:
    package = a_package([a_bundle("a-twin", version="1.0.0"), "1.0.0"])
    answer = resolve(Request("p", policy="SelfCertified", installed=an_installed("1.0.0")), [a_catalog(package)])
    assert isinstance(answer, Chosen)
    assert (answer.bundle.name, answer.is_installed) == ("p.v1.0.0", True)


def test_equal_versions_are_chosen_by_name() -> None:
    package = a_package([a_bundle("b", version="1.0.0"), a_bundle("a", version="1.0.0")])
    answer = resolve(Request("p"), [a_catalog(package)])
    assert isinstance(answer, Chosen)
    assert answer.bundle.name == "a"
