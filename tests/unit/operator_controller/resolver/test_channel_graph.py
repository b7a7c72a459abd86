from __future__ import annotations

from olmv1.versions import Version
from operator_controller.resolver import Edge, EdgeKind, InvalidSkipRange
from operator_controller.resolver.channel_graph import graph_of
from tests.packages import a_channel

_ALL: frozenset[str] = frozenset()


def test_edges_from_follows_names_and_skip_ranges() -> None:
    graph = graph_of([a_channel("a", "2.0.0 (R 1.0.0; S 1.0.0 0.9.0; SR <2.0.0)", "1.0.0")])
    found = graph.edges_from("p.v1.0.0", Version.parse("1.0.0"), _ALL)
    assert [(edge.kind, edge.text, edge.is_named) for edge in found["p.v2.0.0"]] == [
        (EdgeKind.REPLACES, "p.v1.0.0", True),
        (EdgeKind.SKIPS, "p.v1.0.0", True),
        (EdgeKind.SKIP_RANGE, "<2.0.0", False),
    ]


def test_edges_from_keeps_to_the_channels() -> None:
    graph = graph_of([a_channel("a", "2.0.0 (R 1.0.0)"), a_channel("b", "3.0.0 (R 1.0.0)")])
    found = graph.edges_from("p.v1.0.0", Version.parse("1.0.0"), frozenset({"b"}))
    assert found == {"p.v3.0.0": [Edge(EdgeKind.REPLACES, "b", "p.v3.0.0", "p.v1.0.0")]}


def test_edges_from_ignores_skip_ranges_without_a_version() -> None:
    graph = graph_of([a_channel("a", "2.0.0 (SR <2.0.0)")])
    assert graph.edges_from("p.v1.0.0", None, _ALL) == {}


def test_graph_keeps_invalid_skip_ranges_apart() -> None:
    graph = graph_of([a_channel("a", "2.0.0 (SR <v2.0.0)")])
    message = 'Could not parse Range "<v2.0.0": Could not parse comparator "<v" in "<v2.0.0"'
    assert graph.invalid == (InvalidSkipRange("a", "p.v2.0.0", "<v2.0.0", message),)
    assert graph.edges_from("p.v1.0.0", Version.parse("1.0.0"), _ALL) == {}


def test_graph_tells_where_a_bundle_is_skipped() -> None:
    entries = ("2.0.0 (S 1.0.0 0.1.0)", "1.0.0")
    graph = graph_of([a_channel("a", *entries), a_channel("b", "1.0.0"), a_channel("c", "2.0.0 (S 1.0.0)")])
    assert graph.members["p.v1.0.0"] == {"a", "b"}
    assert graph.skipped == {"p.v1.0.0": frozenset({"a"})}
    assert graph.channels == {"a", "b", "c"}
