"""Refused upgrades of real packages, and the routes that a person would take."""

from __future__ import annotations

from functools import cache

import pytest

from olmv1.fbc import Catalog, load
from operator_controller.explanation import Explanation, explain, headline
from operator_controller.resolver import CatalogContent, InstalledBundle, PackageIndex, Request, index_package, resolve
from tests.data import data_dir

pytestmark = pytest.mark.data


@cache
def _catalog() -> Catalog:
    return load(data_dir("catalogs", "certified-v4.19"))


@cache
def index_of(name: str) -> PackageIndex:
    package = _catalog().package(name)
    assert package is not None
    return index_package(package)


def explained(package: str, installed: str, version: str | None = None, *channels: str) -> Explanation:
    index = index_of(package)
    [bundle] = [each for each in index.candidates if str(each.version) == installed]
    request = Request(package, version, channels, installed=InstalledBundle(bundle.name, installed))
    catalogs = (CatalogContent("certified", 0, index),)
    return explain(request, catalogs, resolve(request, catalogs))


@pytest.mark.parametrize(
    ("package", "installed", "version", "route"),
    [
        pytest.param("habana-ai-operator", "1.21.4-3", "1.24.0-1007", ["1.23.0-695", "1.24.0-1007"], id="skipRange"),
        pytest.param(
            "crunchy-postgres-operator",
            "5.6.0",
            "5.8.0",
            ["5.6.1", "5.7.0", "5.7.1", "5.7.2", "5.7.3", "5.7.4", "5.8.0"],
            id="replaces",
        ),
    ],
)
def test_refused_upgrade_has_the_route_of_a_person(
    package: str, installed: str, version: str, route: list[str]
) -> None:
    found = explained(package, installed, version)
    assert found.route is not None
    assert [step.pin for step in found.route.steps] == route
    assert (found.route.refusal, found.route.by_itself) == ("", f">={installed} <={version}")


def test_refused_upgrade_without_a_route_says_what_can_be_had() -> None:
    """kubecost left its 2.x line behind: no edge leads to 3.x."""
    found = explained("kubecost-operator", "2.5.4", "3.2.4")
    assert found.route is not None
    assert found.route.steps == ()
    assert [(each.change, each.version) for each in found.alternatives] == [
        ("set upgradeConstraintPolicy to SelfCertified", "3.2.4"),
        ("ask for no version", "2.8.2"),
    ]


def test_channel_that_was_left_behind() -> None:
    found = explained("scaleops-operator", "1.33.6", None, "stable-v1.26")
    assert headline(found) == (
        'The installed "scaleops-operator.v1.33.6" is not in channels [stable-v1.26], and no edge in them leads on '
        'from it. What helps: allow channel "stable-v1.33" as well, then the extension stays on '
        '"scaleops-operator.v1.33.6".'
    )


def test_every_route_to_the_newest_version_is_legal() -> None:
    walked = 0
    for package in _catalog().packages:
        versions = [str(each.version) for each in index_of(package).candidates]
        route = explained(package, versions[-1], versions[0]).route
        if route is not None:
            assert (route.refusal, route.reaches_wanted or not route.steps) == ("", True), package
            walked += len(route.steps)
    assert walked > 100


def test_classic_agrees_wherever_it_can_choose() -> None:
    """Without a range and in one channel both follow the same edges, but for what Classic refuses or never takes."""
    for package in ("cloudnative-pg", "crunchy-postgres-operator", "k10-kasten-operator-rhmp", "trident-operator"):
        index = index_of(package)
        for candidate in index.candidates:
            if index.default_channel in candidate.channels and not candidate.skipped_in:
                classic = explained(package, str(candidate.version), None, index.default_channel).classic
                assert classic is not None
                assert (classic.is_same, classic.error) == (True, ""), candidate.name
