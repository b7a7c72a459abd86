from __future__ import annotations

import pytest

from olm_cli.graph.drawing import drawing_of, notes_on
from olmv1.fbc import Bundle
from tests.graphs import a_graph
from tests.packages import a_bundle, a_package

VERSIONS = [f"1.{minor}.0" for minor in range(5)]


def drawn(installed: str = "") -> list[tuple[str, str]]:
    entries = ["1.4.0 (R 1.3.0; SR <1.4.0)", *VERSIONS[:-1]]
    drawing = drawing_of(a_graph(a_package(VERSIONS, {"a": entries}), installed=installed))
    return [(edge.source.removeprefix("p.v"), edge.kind.value) for edge in drawing.edges]


def test_drawing_has_of_a_skip_range_the_edges_that_tell_something() -> None:
    assert drawn() == [("1.3.0", "replaces")]
    assert drawn(installed="1.1.0") == [("1.3.0", "replaces"), ("1.1.0", "skipRange")]


def test_drawing_has_both_edges_of_a_skip_range_that_holds_two() -> None:
    drawing = drawing_of(a_graph(a_package(VERSIONS[:3], {"a": ["1.2.0 (SR <1.2.0)", "1.1.0", "1.0.0"]})))
    assert [edge.source for edge in drawing.edges] == ["p.v1.1.0", "p.v1.0.0"]


def test_drawing_leaves_out_skipped_names_that_are_gone() -> None:
    drawing = drawing_of(a_graph(a_package(["1.4.0"], {"a": ["1.4.0 (R 1.3.0; S 1.2.0 1.1.0)"]})))
    assert [node.name for node in drawing.nodes] == ["p.v1.4.0", "p.v1.3.0"]
    assert [edge.source for edge in drawing.edges] == ["p.v1.3.0"]


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("p.v3.0.0", ["next", "skipped in b"]),
        ("p.v2.0.0", ["reachable", "skipped"]),
        ("p.v1.5.0", ["reachable", "off Classic's chain"]),
        ("p.v1.4.0", ["reachable", "off Classic's chain in a"]),
        ("p.v1.0.0", ["installed", "deprecated"]),
        ("p.v0.1.0", ["not in the catalog"]),
        ("p.odd", ["version cannot be read"]),
    ],
)
def test_notes_say_what_is_special(name: str, notes: list[str]) -> None:
    bundles: list[str | Bundle] = ["3.0.0", "2.0.0", "1.5.0", "1.4.0", "1.0.0", a_bundle("p.odd", version="odd")]
    channels = {
        "a": ["3.0.0 (R 1.0.0; S 2.0.0)", "2.0.0 (R 1.5.0)", "1.5.0 (R 1.4.0)", "1.4.0", "1.0.0 (R p.odd)", "p.odd"],
        "b": ["1.4.0 (S 3.0.0)", "3.0.0 (R 0.1.0)"],
    }
    graph = a_graph(a_package(bundles, channels, deprecated=["1.0.0"]), installed="1.0.0")
    [node] = [node for node in graph.nodes if node.name == name]
    assert list(notes_on(node, graph)) == notes


def test_notes_tell_another_channel_from_none() -> None:
    package = a_package(["1.0.0", "2.0.0", "3.0.0"], {"a": ["2.0.0 (R 1.0.0)"], "b": ["1.0.0"]})
    graph = a_graph(package, channels=("a",))
    assert [list(notes_on(node, graph)) for node in graph.nodes] == [[], ["in another channel"]]
    assert [list(notes_on(node, a_graph(package)))[:1] for node in a_graph(package).nodes] == [
        ["in no channel"],
        [],
        [],
    ]
