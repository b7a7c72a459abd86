from __future__ import annotations

from olm_cli.graph import ChannelView, GraphNode
from tests.graphs import a_graph, edges_of
from tests.packages import a_bundle, a_deprecation, a_package

C2 = {"stable": ["0.9.2 (R 0.9.0; S 0.9.1)", "0.9.1 (R 0.9.0)", "0.9.0"]}


def test_graph_has_every_edge_and_marks_what_classic_ignores() -> None:
    graph = a_graph(a_package(["0.9.0", "0.9.1", "0.9.2"], C2))
    assert edges_of(graph) == [
        "0.9.1 → 0.9.2 skips in stable",
        "0.9.0 → 0.9.2 replaces in stable",
        "0.9.0 → 0.9.1 replaces in stable not classic in stable",
    ]
    chain = ("p.v0.9.2", "p.v0.9.0")
    assert graph.channels == (ChannelView("stable", is_default=False, deprecations=(), chain=chain),)


def test_graph_marks_bundles() -> None:
    gone = [
        a_deprecation("olm.package"),
        a_deprecation("olm.channel", "stable"),
        a_deprecation("olm.bundle", "p.v0.9.0"),
    ]
    graph = a_graph(a_package(["0.9.0", "0.9.1", "0.9.2"], C2, deprecations=gone), installed="0.9.0")
    stable = ("stable",)
    assert graph.nodes == (
        GraphNode("p.v0.9.2", "0.9.2", stable, is_next=True, is_reachable=True),
        GraphNode("p.v0.9.1", "0.9.1", stable, skipped_in=stable, is_reachable=True),
        GraphNode("p.v0.9.0", "0.9.0", stable, deprecations=("gone soon",), is_installed=True),
    )
    assert (graph.deprecations, graph.channels[0].deprecations) == (("gone soon",), ("gone soon",))


def test_graph_counts_a_skip_range_from_each_bundle_that_it_holds() -> None:
    entries = ["1.2.0 (SR >=1.0.0 <1.2.0)", "1.1.0 (SR <1.1.0)", "1.0.0"]
    graph = a_graph(a_package(["1.0.0", "1.1.0", "1.2.0"], {"a": entries, "b": ["1.2.0 (SR >=1.0.0 <1.2.0)"]}))
    assert edges_of(graph) == [
        "1.1.0 → 1.2.0 skipRange >=1.0.0 <1.2.0 in a,b not classic in a",
        "1.0.0 → 1.2.0 skipRange >=1.0.0 <1.2.0 in a,b not classic in a",
        "1.0.0 → 1.1.0 skipRange <1.1.0 in a not classic in a",
    ]
    assert [view.problem[:28] for view in graph.channels] == ["a unique replacement chain w", ""]


def test_graph_ignores_for_classic_a_skip_range_below_the_head() -> None:
    graph = a_graph(
        a_package(["1.0.0", "1.1.0", "1.2.0"], {"a": ["1.2.0 (R 1.1.0)", "1.1.0 (R 1.0.0; SR <1.1.0)", "1.0.0"]})
    )
    assert edges_of(graph) == [
        "1.1.0 → 1.2.0 replaces in a",
        "1.0.0 → 1.1.0 replaces in a",
        "1.0.0 → 1.1.0 skipRange <1.1.0 in a not classic in a",
    ]


def test_graph_of_a_channel_leaves_the_others_out() -> None:
    package = a_package(["1.0.0", "2.0.0", "3.0.0"], {"a": ["2.0.0 (R 1.0.0)"], "b": ["3.0.0 (R 2.0.0)"]})
    graph = a_graph(package, channels=("a",), installed="1.0.0")
    assert [node.name for node in graph.nodes] == ["p.v2.0.0", "p.v1.0.0"]
    assert (edges_of(graph), graph.nodes[1].channels) == (["1.0.0 → 2.0.0 replaces in a"], ())


def test_graph_shows_names_that_the_catalog_does_not_have() -> None:
    entries = ["2.0.0 (R 1.1.0; S nightly)", "0.8.0"]
    graph = a_graph(a_package(["2.0.0", "0.8.0", "0.1.0"], {"a": entries}), installed="p.v1.0.0")
    assert [(node.name, node.version, node.is_missing) for node in graph.nodes] == [
        ("p.v2.0.0", "2.0.0", False),
        ("p.v1.1.0", "1.1.0", True),
        ("p.v1.0.0", "1.0.0", True),
        ("p.v0.8.0", "0.8.0", False),
        ("p.v0.1.0", "0.1.0", False),
        ("nightly", "", True),
    ]
    assert edges_of(graph) == [
        "1.1.0 → 2.0.0 replaces in a not classic in a",
        "nightly → 2.0.0 skips in a not classic in a",
    ]


def test_graph_goes_from_an_installed_bundle_that_is_gone() -> None:
    graph = a_graph(a_package(["2.0.0"], {"a": ["2.0.0 (SR <2.0.0)"]}), installed="p.v1.0.0")
    assert edges_of(graph) == ["1.0.0 → 2.0.0 skipRange <2.0.0 in a"]
    assert [(node.name, node.is_installed, node.is_next) for node in graph.nodes] == [
        ("p.v2.0.0", False, True),
        ("p.v1.0.0", True, False),
    ]


def test_graph_reaches_no_bundle_that_cannot_be_installed() -> None:
    odd = a_bundle("p.vodd", version="odd")
    package = a_package(["1.0.0", odd, "3.0.0"], {"a": ["3.0.0 (R p.vodd)", "p.vodd (R 1.0.0)", "1.0.0"]})
    graph = a_graph(package, installed="1.0.0")
    assert {node.name: node.is_reachable for node in graph.nodes} == {
        "p.v3.0.0": False,
        "p.v1.0.0": False,
        "p.vodd": False,
    }


def test_graph_ends_in_cycles() -> None:
    graph = a_graph(a_package(["1.0.0", "2.0.0"], {"a": ["1.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0)"]}), installed="1.0.0")
    assert [node.is_reachable for node in graph.nodes] == [True, False]


def test_graph_notes_ranges_that_cannot_be_read() -> None:
    graph = a_graph(a_package(["1.0.0"], {"a": ["1.0.0 (SR <v1)"]}))
    [note] = graph.notes
    assert note.startswith("bundle p.v1.0.0 in a: skipRange ignored: ")
    assert a_graph(a_package(["1.0.0"], {"a": ["1.0.0 (SR <v1)"], "b": ["1.0.0"]}), channels=("b",)).notes == ()
