from __future__ import annotations

from typing import Any

import pytest

from olmv1.versions import VersionRelease
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.resolver import Upgrade, Upgrades
from operator_controller.status.upgrades import with_upgrades
from tests.builders import a_view


def an_upgrade(version: str, release: str | None = None, catalog: str = "lights") -> Upgrade:
    return Upgrade(f"lantern.v{version}", VersionRelease.parse(version, release), catalog)


def an_entry(version: str, catalog: str = "lights") -> dict[str, str]:
    return {"bundle": f"lantern.v{version}", "version": version, "catalog": catalog}


def seen(*offered: Upgrade, unusable: frozenset[str] = frozenset(), version: str = "1.0.0") -> ExtensionOutcome:
    return ExtensionOutcome(revisions=(a_view(version=version),), upgrades=Upgrades(offered, unusable))


def listed(status: dict[str, Any], outcome: ExtensionOutcome) -> list[str]:
    return [entry["version"] for entry in with_upgrades(status, outcome).get("availableUpgrades", ())]


KNOWN = {"install": {}, "availableUpgrades": [an_entry("1.2.0", "dark"), an_entry("1.1.0")]}


def test_with_upgrades_lists_them_with_their_catalog() -> None:
    found = with_upgrades({"install": {}}, seen(an_upgrade("1.1.0", "2"), an_upgrade("1.1.0", catalog="")))
    assert found == {"install": {}, "availableUpgrades": [{"bundle": "lantern.v1.1.0", "version": "1.1.0"}]}
    (entry,) = with_upgrades({}, seen(an_upgrade("1.1.0", "2")))["availableUpgrades"]
    assert entry == {"bundle": "lantern.v1.1.0", "version": "1.1.0", "release": "2", "catalog": "lights"}


def test_with_upgrades_lists_ten_newest_first() -> None:
    offered = [an_upgrade(f"1.{number}.0") for number in range(1, 13)]
    assert listed({}, seen(*offered)) == [f"1.{number}.0" for number in range(12, 2, -1)]


def test_with_upgrades_leaves_out_what_the_api_server_would_refuse() -> None:
    long = Upgrade("n" * 1025, VersionRelease.parse("2.0.0", None), "lights")
    assert listed({}, seen(long, an_upgrade("1.1.0"))) == ["1.1.0"]


@pytest.mark.parametrize(
    ("outcome", "versions"),
    [
        pytest.param(seen(), [], id="none are left"),
        pytest.param(seen(an_upgrade("1.1.0"), unusable=frozenset({"dark"})), ["1.2.0", "1.1.0"], id="catalog away"),
        pytest.param(seen(unusable=frozenset({"dark"}), version="1.2.0"), [], id="catalog away, but it is installed"),
        pytest.param(seen(unusable=frozenset({"dark"}), version="odd"), [], id="installed version unreadable"),
        pytest.param(ExtensionOutcome(revisions=(a_view(),)), ["1.2.0", "1.1.0"], id="nothing was resolved"),
        pytest.param(ExtensionOutcome(), ["1.2.0", "1.1.0"], id="revisions were not read"),
        pytest.param(ExtensionOutcome(revisions=()), [], id="nothing is installed"),
    ],
)
def test_with_upgrades_keeps_what_may_still_hold(outcome: ExtensionOutcome, versions: list[str]) -> None:
    assert listed(KNOWN, outcome) == versions


def test_with_upgrades_drops_what_it_cannot_read() -> None:
    status = {"availableUpgrades": [{"bundle": "b", "version": "odd"}]}
    assert with_upgrades(status, ExtensionOutcome(revisions=(a_view(),))) == {}
