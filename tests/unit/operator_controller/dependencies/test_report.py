from __future__ import annotations

from olmv1.constraints import Property
from olmv1.served import Served
from operator_controller.dependencies import (
    ClusterFacts,
    Dependent,
    Inventory,
    Mode,
    broken_by_removal,
    check,
    dependents_of,
    report_of,
)
from tests.requirements import BLUE, GREEN, a_candidate, an_api, an_extension, group, gvk, needs, needs_api, package

_CLUSTER = ClusterFacts(
    Inventory(
        [
            an_extension("blue", "1.2.0", an_api(BLUE)),
            an_extension("green", "0.9.0", an_api(GREEN)),
            an_extension("red", "0.1.0", needs_api(BLUE)),
            an_extension("grey", "0.1.0", needs(group("any", gvk(BLUE), gvk(GREEN)))),
        ]
    ),
    Served("1.36.3", frozenset({BLUE})),
)


def test_report_tells_everything_about_a_requirement() -> None:
    candidate = a_candidate("red", "1.0.0", needs(group("all", package("blue", ">1.0.0"), gvk(GREEN), message="mix")))
    verdict = check(candidate, Mode.CHECK, _CLUSTER)
    (requirement,) = report_of(verdict, candidate, _CLUSTER)["requirements"]
    assert requirement == {
        "source": "olm.constraint[0]",
        "kind": "all",
        "expression": 'all of (package "blue" in version range ">1.0.0", API Green.v1.greens.example.com)',
        "failureMessage": "mix",
        "satisfied": True,
        "satisfiedBy": ['ClusterExtension "blue"', 'ClusterExtension "green"'],
        "found": "",
        "remarks": [],
        "errors": [],
        "alternatives": [],
        "classic": {
            "result": "unmet",
            "note": "OLM Classic would not accept it because no single bundle satisfies the whole constraint",
        },
    }


def test_report_of_an_invalid_constraint_names_the_error() -> None:
    candidate = a_candidate("red", "1.0.0", needs({}), Property("olm.package.required", 3))
    report = report_of(check(candidate, Mode.CHECK, _CLUSTER), candidate, _CLUSTER)
    assert [each["kind"] for each in report["requirements"]] == ["invalid", "invalid"]
    assert report["requirements"][1]["errors"] == [
        "invalid dependency: olm.package.required[0]: expected an object, found a number"
    ]


def test_report_names_breaks() -> None:
    candidate = a_candidate("blue", "2.0.0", an_api(GREEN))
    report = report_of(check(candidate, Mode.CHECK, _CLUSTER), candidate, _CLUSTER)
    assert report["breaks"] == [
        {"extension": "red", "bundle": "red.v0.1.0", "requires": "API Blue.v1.blues.example.com"}
    ]


def test_dependents_are_those_that_an_extension_satisfies() -> None:
    either = "one of (API Blue.v1.blues.example.com, API Green.v1.greens.example.com)"
    assert dependents_of("blue", _CLUSTER) == (
        Dependent("grey", "grey.v0.1.0", either, ('ClusterExtension "green"', "the cluster")),
        Dependent("red", "red.v0.1.0", "API Blue.v1.blues.example.com", ("the cluster",)),
    )
    assert dependents_of("red", _CLUSTER) == ()


def test_removal_breaks_who_has_nothing_else() -> None:
    """R8."""
    (found,) = broken_by_removal("blue", _CLUSTER)
    assert found.text == 'ClusterExtension "red": bundle "red.v0.1.0" requires API Blue.v1.blues.example.com'
    assert broken_by_removal("red", _CLUSTER) == ()
    assert broken_by_removal("blue", ClusterFacts(Inventory(_CLUSTER.extensions[:2]))) == ()
