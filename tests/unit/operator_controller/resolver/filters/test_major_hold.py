from __future__ import annotations

from operator_controller.resolver import Chosen, Request, resolve
from tests.packages import a_catalog, a_package, an_installed

_CHANNELS = {"a": ["2.0.0 (SR <2.0.0)", "1.1.0 (SR <1.1.0)", "1.0.0"]}


def test_major_hold_removes_other_major_versions() -> None:
    catalogs = [a_catalog(a_package(["1.0.0", "1.1.0", "2.0.0"], _CHANNELS))]
    answer = resolve(Request("p", installed=an_installed("1.0.0"), hold_major=True), catalogs)
    assert isinstance(answer, Chosen)
    assert str(answer.version) == "1.1.0"
    assert list(answer.trace.reasons_for("p.v2.0.0")) == [
        ("cat", "major version", "version 2.0.0 leaves the held major version of the installed 1.0.0")
    ]


def test_major_hold_applies_to_upgrades_only() -> None:
    catalogs = [a_catalog(a_package(["2.0.0"], _CHANNELS))]
    assert isinstance(resolve(Request("p", hold_major=True), catalogs), Chosen)
