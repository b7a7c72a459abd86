from __future__ import annotations

from dataclasses import replace

import pytest

from olmv1.fbc import Bundle
from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from operator_controller.upgrade_plan import ExtensionPlan, WayOut, judge
from tests.explanations import a_place, a_request
from tests.upgrade_plans import a_goal, a_subject, supporting

CHAIN = {"stable": ["1.2.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]}
BUNDLES = (supporting("1.0.0", "4.18"), supporting("1.1.0", "4.18"), supporting("1.2.0", "4.20"))


def a_chain(**changes: object) -> CatalogContent:
    return a_place(CHAIN, BUNDLES, **changes)  # type: ignore[arg-type]


def judged(request: Request, *catalogs: CatalogContent | CatalogProblem, target: str = "") -> ExtensionPlan:
    return judge(a_subject(request, *catalogs), a_goal(target))


def way(request: Request, *catalogs: CatalogContent, target: str = "") -> WayOut:
    found = judged(request, *catalogs, target=target).way_out
    assert found is not None
    return found


def told(found: WayOut) -> tuple[str, list[str], list[str]]:
    return found.bundle, [step.pin for step in found.steps], [change.text for change in found.changes]


def test_way_out_is_open_when_the_controller_goes_it_anyway() -> None:
    found = way(a_request("1.0.0"), a_chain())
    assert told(found) == ("p.v1.2.0", ["1.1.0", "1.2.0"], [])
    assert (found.is_allowed, found.by_itself, found.catalog, found.channel, found.max) == (
        True,
        True,
        "cat",
        "stable",
        "4.20",
    )


def test_way_out_names_the_first_bundle_and_where_the_extension_ends() -> None:
    place = a_place(
        {"stable": ["1.2.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]},
        (supporting("1.0.0", "4.18"), supporting("1.1.0", "4.19"), supporting("1.2.0")),
    )
    found = way(a_request("1.0.0"), place)
    assert (found.bundle, found.ends_at) == ("p.v1.1.0", "p.v1.2.0")


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        pytest.param(
            a_request("1.0.0", version="~1.0"),
            [({"version": ">=1.0.0 <=1.2.0"}, 'set version to ">=1.0.0 <=1.2.0" instead of "~1.0"')],
            id="range",
        ),
        pytest.param(
            a_request("1.1.0", version="~1.1"),
            [({"version": "1.2.0"}, 'set version to "1.2.0" instead of "~1.1"')],
            id="one step",
        ),
        pytest.param(
            a_request("1.0.0", channels=["slow"]),
            [({"channels": None}, "remove its channels [slow], which do not lead there")],
            id="channels",
        ),
    ],
)
def test_way_out_changes_what_is_in_the_way(request_: Request, changes: list[tuple[object, str]]) -> None:
    found = way(request_, a_chain())
    assert [(change.spec, change.text) for change in found.changes] == changes
    assert (found.is_allowed, found.by_itself, found.bundle) == (False, True, "p.v1.2.0")


def test_way_out_leaves_the_major_version_when_that_is_held() -> None:
    place = a_place(
        {"stable": ["2.0.0 (R 1.0.0)", "1.0.0"]}, (supporting("1.0.0", "4.18"), supporting("2.0.0", "4.20"))
    )
    found = way(a_request("1.0.0", hold_major=True), place)
    assert told(found) == ("p.v2.0.0", ["2.0.0"], ["let it leave major version 1, which it holds"])


def test_way_out_asks_for_self_certified_only_without_an_edge() -> None:
    place = a_place({"stable": ["1.2.0", "1.0.0"]}, (supporting("1.0.0", "4.18"), supporting("1.2.0", "4.20")))
    found = way(a_request("1.0.0"), place)
    text = "set upgradeConstraintPolicy to SelfCertified: no edge of the catalog vouches for the step"
    assert told(found) == ("p.v1.2.0", ["1.2.0"], [text])
    assert way(a_request("1.0.0", policy="SelfCertified"), place).is_allowed


def test_way_out_walks_past_a_higher_bundle_that_blocks() -> None:
    place = a_place(
        {"stable": ["1.2.0 (S 1.0.0 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]},
        (supporting("1.0.0", "4.18"), supporting("1.1.0", "4.19"), supporting("1.2.0", "4.18")),
    )
    found = way(a_request("1.0.0"), place)
    assert told(found) == ("p.v1.1.0", ["1.1.0"], ['set version to "1.1.0"'])


@pytest.mark.parametrize(("target", "bundle"), [("4.20", "p.v1.1.0"), ("4.21", "p.v1.2.0")])
def test_way_out_fits_the_target_and_not_only_the_next_version(target: str, bundle: str) -> None:
    bundles = (supporting("1.0.0", "4.18"), supporting("1.1.0", "4.20"), supporting("1.2.0", "4.21"))
    found = judge(a_subject(a_request("1.0.0"), a_place(CHAIN, bundles)), a_goal(target))
    assert found.way_out is not None
    assert found.way_out.bundle == bundle
    assert [each.bundle for each in found.suggestions][-1] == bundle


ONLY_OLD = a_place({"stable": ["1.0.0"]}, (supporting("1.0.0", "4.18"),))
NEEDS_MORE: tuple[Bundle, ...] = (supporting("1.0.0", "4.18"), supporting("1.2.0", "4.20", kubernetes="1.33.0"))


@pytest.mark.parametrize(
    ("catalogs", "obstacle"),
    [
        ((), "no catalog was looked into; name one with --catalog"),
        ((CatalogContent("cat", 0, None),), 'package "p" is in none of the catalogs'),
        ((CatalogProblem("cat", 0, 'catalog "cat" is not being served'),), 'catalog "cat" is not being served'),
        ((ONLY_OLD,), 'no catalog has a bundle of package "p" after 1.0.0 that allows the upgrade'),
        (
            (a_place({"stable": ["1.2.0 (R 1.0.0)", "1.0.0"]}, NEEDS_MORE),),
            'bundle "p.v1.2.0" would allow the upgrade, but it needs Kubernetes >= 1.33.0, and the cluster has 1.31.2',
        ),
    ],
)
def test_no_way_out_is_explained(catalogs: tuple[CatalogContent | CatalogProblem, ...], obstacle: str) -> None:
    found = judged(replace(a_request("1.0.0"), kube_version="1.31.2"), *catalogs)
    assert (found.way_out, found.obstacle) == (None, obstacle)


def test_bundle_that_cannot_be_read_is_no_way_out() -> None:
    bundles = (supporting("1.0.0", "4.18"), supporting("1.1.0", "soon"), supporting("1.2.0", "4.20"))
    assert way(a_request("1.0.0", version="<1.2"), a_place(CHAIN, bundles)).bundle == "p.v1.2.0"
