from __future__ import annotations

from operator_controller.explanation import (
    Absence,
    CandidateReport,
    CatalogReport,
    EdgeView,
    FilterReport,
    LeftOut,
    Surroundings,
)
from operator_controller.resolver import CatalogProblem, EdgeKind
from tests.explanations import a_place, a_request, explained
from tests.packages import a_bundle, a_catalog

PLACE = a_place(
    {
        "s": ["2.0.0 (SR <2.0.0)", "1.1.0-rc.1 (R 1.0.0; SR <v1)", "1.0.0"],
        "t": ["1.5.0 (R 1.0.0; S 1.1.0-rc.1)", "3.0.0"],
    },
    default="s",
    deprecated=["1.5.0"],
)


def test_catalogs_come_by_priority_and_those_left_out_last() -> None:
    left_out = (LeftOut("b", 0, Absence.UNAVAILABLE), LeftOut("a", 5, Absence.NOT_SELECTED))
    places = (a_catalog(None, "empty", -1), PLACE, CatalogProblem("sick", -5, "no route"))
    found = explained(a_request(version="<2"), *places, surroundings=Surroundings(left_out=left_out))
    assert [(each.name, each.priority, each.state, each.message) for each in found.catalogs] == [
        ("cat", 0, "used", ""),
        ("empty", -1, "package not found", ""),
        ("sick", -5, "unusable", "no route"),
        ("a", 5, "excluded by selector", ""),
        ("b", 0, "unavailable", ""),
    ]


def test_catalog_tells_what_every_rule_left() -> None:
    [report] = explained(a_request("1.0.0", version="<3", channels=["s"]), PLACE).catalogs
    bad = report.invalid_skip_ranges[0]
    assert report == CatalogReport(
        name="cat",
        priority=0,
        state="used",
        default_channel="s",
        channels=("s", "t"),
        bundles=5,
        filters=(
            FilterReport("channel", 3),
            FilterReport("version", 2),
            FilterReport("upgrade edge", 2),
            FilterReport("rollback", 2),
        ),
        offer="p.v2.0.0",
        invalid_skip_ranges=(bad,),
    )
    assert (report.candidates, bad.entry, bad.text) == (2, "p.v1.1.0-rc.1", "<v1")


def test_catalog_without_rules_leaves_everything() -> None:
    [report] = explained(a_request(), PLACE).catalogs
    assert (report.filters, report.candidates) == ((), 5)


def test_candidates_tell_the_first_rule_that_dropped_them() -> None:
    found = explained(a_request("1.0.0", version="<3", channels=["s"]), PLACE).candidates
    assert [(each.version, each.dropped_by, each.reason) for each in found] == [
        ("3.0.0", "channel", "in channels [t], not in [s]"),
        ("2.0.0", "", ""),
        ("1.5.0", "channel", "in channels [t], not in [s]"),
        ("1.1.0-rc.1", "version: pre-release", 'version 1.1.0-rc.1: range "<3" hides this pre-release'),
        ("1.0.0", "", ""),
    ]
    other = explained(a_request("1.0.0"), PLACE).candidates[0]
    assert (other.dropped_by, other.reason) == ("no upgrade edge", 'no upgrade edge from "p.v1.0.0"')


def test_candidate_shows_edges_of_every_channel() -> None:
    found = {each.bundle: each for each in explained(a_request("1.0.0", channels=["s"]), PLACE).candidates}
    assert found["p.v1.5.0"] == CandidateReport(
        catalog="cat",
        bundle="p.v1.5.0",
        version="1.5.0",
        release=None,
        image="registry.example/p:1.5.0",
        channels=("t",),
        skipped_in=(),
        deprecated=("gone soon",),
        dropped_by="channel",
        reason="in channels [t], not in [s]",
        edges=(EdgeView(EdgeKind.REPLACES, "t"),),
    )
    assert found["p.v2.0.0"].edges == (EdgeView(EdgeKind.SKIP_RANGE, "s", "<2.0.0"),)


def test_candidate_with_a_release_or_an_unreadable_version() -> None:
    place = a_place({}, [a_bundle("1.0.0", release="2"), a_bundle("pea", version="v1")])
    found = [(each.version, each.release) for each in explained(a_request(), place).candidates]
    assert found == [("1.0.0", "2"), ("v1", None)]


def test_nothing_was_examined_when_the_range_cannot_be_read() -> None:
    found = explained(a_request(version="foo"), PLACE)
    assert (found.catalogs, found.candidates) == ((), ())
