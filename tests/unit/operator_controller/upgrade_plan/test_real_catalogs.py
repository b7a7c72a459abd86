"""Bundles and catalogs that were published: what they declare is judged right."""

from __future__ import annotations

from pathlib import Path

import pytest

from devcluster.images import files_of
from olmv1.fbc import load
from operator_controller.bundle import parse_bundle
from operator_controller.resolver import CatalogContent, InstalledBundle, Request, index_package
from operator_controller.upgrade_plan import Answer, ExtensionPlan, Subject, judge
from operator_controller.upgrade_plan.offered import declared, maximum_of
from operator_controller.upgradeability import BundleFacts, Verdict, VerdictKind, verdict_of
from operator_controller.upgradeability.minor import Minor
from tests.data import data_dir
from tests.upgrade_plans import a_goal

pytestmark = pytest.mark.data

PACKAGE = "openshift-fusion-access-operator"


@pytest.fixture(scope="module")
def place() -> CatalogContent:
    package = load(data_dir("catalogs", "certified-v4.19", PACKAGE)).package(PACKAGE)
    assert package is not None
    return CatalogContent("certified", 0, index_package(package))


def judged(place: CatalogContent, version: str, current: str, target: str = "") -> ExtensionPlan:
    assert place.package is not None
    [found] = [each for each in place.package.candidates if str(each.version) == version]
    facts = BundleFacts(found.name, declared(found.bundle), package=PACKAGE, version=version)
    request = Request(PACKAGE, installed=InstalledBundle(found.name, version))
    return judge(Subject("fusion", PACKAGE, found.name, (facts,), request, (place,)), a_goal(target, current))


def test_maxima_of_a_published_catalog_are_read(place: CatalogContent) -> None:
    assert place.package is not None
    assert {str(each.version): str(maximum_of(each.bundle).minor or "") for each in place.package.candidates} == {
        "0.9.3": "",
        "1.0.0": "",
        "1.0.1": "4.19",
        "1.1.0-1": "4.20",
        "1.1.1-1": "4.20",
        "1.2.0-3": "4.21",
    }


@pytest.mark.parametrize(
    ("version", "current", "target", "way"),
    [
        ("1.0.1", "4.18.0", "", None),
        ("1.0.0", "4.22.0", "", None),
        ("1.0.1", "4.19.0", "", "1.1.0-1"),
        ("1.0.1", "4.19.0", "4.21", "1.2.0-3"),
        ("1.0.1", "4.19.0", "4.22", ""),
        ("1.1.1-1", "4.20.0", "", "1.2.0-3"),
    ],
)
def test_published_package_is_judged(
    place: CatalogContent, version: str, current: str, target: str, way: str | None
) -> None:
    """No way: it may be upgraded; an empty one: no bundle helps."""
    found = judged(place, version, current, target)
    answer = Answer.OK if way is None else Answer.BLOCKED
    assert (found.verdict, found.way_out.version if found.way_out else "") == (answer, way or "")


def verdict(path: str, current: str) -> Verdict:
    """The answer about an installed bundle, by what the loader records of it."""
    bundle = parse_bundle(files_of(Path(data_dir("bundles", path))))
    found = verdict_of([BundleFacts(path, bundle.annotations.get("olm.properties"))], Minor.of_version(current))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "maximum"),
    [
        ("app-insights-operator/1.14.0", None),
        ("lightbits-operator/1.2.0", None),
        ("gitlab-operator-kubernetes/0.10.2", Minor(4, 10)),
        ("eginnovations-operator/0.0.2", Minor(4, 10)),
        ("ibm-security-verify-operator/21.11.0", Minor(4, 9)),
        ("ibm-application-gateway-operator/22.3.0", Minor(4, 9)),
    ],
)
def test_published_bundle_is_judged(path: str, maximum: Minor | None) -> None:
    before, after = verdict(path, "4.8.0"), verdict(path, "4.10.0")
    assert (before.kind, before.maximum) == (VerdictKind.COMPATIBLE, maximum)
    assert after.kind is (VerdictKind.COMPATIBLE if maximum is None else VerdictKind.INCOMPATIBLE)
