from __future__ import annotations

from typing import Any

import pytest

from olmv1.fbc import Bundle
from operator_controller.resolver import CatalogContent, CatalogProblem, InstalledBundle, Request, resolve, upgrades_of
from tests.packages import PACKAGE, a_bundle, a_catalog, a_package, an_installed

# From 1.0.0 three steps lead on; 1.5.0 can be reached over 1.2.0 only.
ENTRIES = ("1.0.0", "1.1.0 (R 1.0.0)", "1.2.0 (R 1.1.0; SR <1.2.0)", "1.5.0 (R 1.2.0)", "2.0.0 (R 1.5.0; S 1.0.0)")
VERSIONS = ("1.0.0", "1.1.0", "1.2.0", "1.5.0", "2.0.0")


def the_package(*more: str | Bundle, entries: tuple[str, ...] = ENTRIES) -> CatalogContent:
    return a_catalog(a_package([*VERSIONS, *more], {"stable": entries, "old": ("1.0.0", "1.1.0 (R 1.0.0)")}))


def offered(*catalogs: CatalogContent | CatalogProblem, **wanted: Any) -> list[tuple[str, str]] | None:
    installed = {"installed": an_installed("1.0.0")}
    found = upgrades_of(resolve(Request(PACKAGE, **{**installed, **wanted}), catalogs or (the_package(),)))
    return None if found is None else [(each.bundle, each.catalog) for each in found.offered]


def of(*versions: str, catalog: str = "cat") -> list[tuple[str, str]]:
    return [(f"p.v{version}", catalog) for version in versions]


@pytest.mark.parametrize(
    ("wanted", "versions"),
    [
        pytest.param({}, ("2.0.0", "1.2.0", "1.1.0"), id="every step, and what is being taken"),
        pytest.param({"range_text": "1.0.0"}, ("2.0.0", "1.2.0", "1.1.0"), id="pinned"),
        pytest.param({"range_text": "9.x"}, ("2.0.0", "1.2.0", "1.1.0"), id="nothing fits"),
        pytest.param({"hold_major": True, "range_text": "1.x"}, ("2.0.0", "1.2.0", "1.1.0"), id="held"),
        pytest.param({"channels": ("old",)}, ("1.1.0",), id="channel"),
        pytest.param({"policy": "SelfCertified", "range_text": "1.0.0"}, VERSIONS[:0:-1], id="any step"),
        pytest.param({"installed": an_installed("2.0.0")}, (), id="at the top"),
        pytest.param({"installed": None}, (), id="nothing installed"),
        pytest.param({"installed": InstalledBundle("p.vodd", "odd"), "policy": "SelfCertified"}, (), id="unreadable"),
    ],
)
def test_upgrades_of_lists_the_next_steps_whatever_the_user_holds_back(
    wanted: dict[str, Any], versions: tuple[str, ...]
) -> None:
    assert offered(**wanted) == of(*versions)


def test_upgrades_of_knows_nothing_when_the_range_cannot_be_read() -> None:
    assert offered(range_text="nonsense!") is None


def test_upgrades_of_leaves_out_what_the_cluster_or_the_publisher_refuses() -> None:
    entries = (
        "1.0.0",
        "1.1.0 (R 1.0.0)",
        "1.3.0 (R 1.1.0; S 1.0.0 1.1.0)",
        "1.4.0 (R 1.3.0; S 1.0.0)",
        "odd (S 1.0.0)",
    )
    bundles: list[str | Bundle] = [
        "1.0.0",
        "1.1.0",
        "1.3.0",
        a_bundle("1.4.0", kubernetes="1.40.0"),
        a_bundle("odd", version="odd"),
    ]
    catalog = a_catalog(a_package(bundles, {"stable": entries}))
    assert offered(catalog, kube_version="1.36.3") == of("1.3.0")


def test_upgrades_of_lists_the_ten_newest_of_a_catalog() -> None:
    versions = [f"1.{number}.0" for number in range(15)]
    found = offered(a_catalog(a_package(versions, {"stable": versions})), policy="SelfCertified", range_text="1.0.0")
    assert found == of(*versions[:4:-1])


def test_upgrades_of_names_the_first_catalog_of_each_and_those_that_say_nothing() -> None:
    high = a_catalog(a_package(["1.0.0", "1.1.0"], {"stable": ENTRIES[:2]}), "high", 5)
    away = CatalogProblem("away", 9, "is not served")
    catalogs = (the_package(), high, away, a_catalog(None, "other"))
    found = upgrades_of(resolve(Request(PACKAGE, installed=an_installed("1.0.0"), range_text="1.0.0"), catalogs))
    assert found is not None
    assert [(each.bundle, str(each.version), each.catalog) for each in found.offered] == [
        ("p.v2.0.0", "2.0.0", "cat"),
        ("p.v1.2.0", "1.2.0", "cat"),
        ("p.v1.1.0", "1.1.0", "high"),
    ]
    assert found.unusable == {"away"}
