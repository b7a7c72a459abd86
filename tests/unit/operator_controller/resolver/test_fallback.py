"""Rule: resolution.md 14, F, with 16.6: a range that the installed version satisfies is as good as its text."""

from __future__ import annotations

import pytest

from operator_controller.resolver import Request, satisfies_wanted
from tests.packages import an_installed


@pytest.mark.parametrize(
    ("installed", "wanted", "expected"),
    [
        pytest.param("1.0.0", None, True, id="F2 no range"),
        pytest.param("1.0.0", "", True, id="empty range"),
        pytest.param("1.0.0", "1.0.0", True, id="F3 same text"),
        pytest.param("1.0.0", "1.x", True, id="F4 wildcard"),
        pytest.param("1.0.0", ">=1.0.0", True, id="F4 lower bound"),
        pytest.param("1.0.0", "=1.0.0", True, id="F4 operator"),
        pytest.param("1.0.0+2", "1.0.0", True, id="F7 release"),
        pytest.param("1.0.0+2", "1.0.0+2", True, id="pinned release"),
        pytest.param("1.0.0+2", "=1.0.0+1", False, id="another release pinned"),
        pytest.param("1.0.0", "2.x", False, id="outside"),
        pytest.param("1.0.0", "foobar", False, id="invalid range"),
        pytest.param("p.vbad", "1.x", False, id="unreadable version"),
        pytest.param("p.vbad", "bad", True, id="unreadable version, same text"),
    ],
)
def test_satisfies_wanted_asks_the_range(installed: str, wanted: str | None, expected: bool) -> None:
    assert satisfies_wanted(Request("p", wanted), an_installed(installed)) is expected


def test_satisfies_wanted_uses_the_recorded_release() -> None:
    assert satisfies_wanted(Request("p", "=1.0.0+2"), an_installed("1.0.0", release="2"))
