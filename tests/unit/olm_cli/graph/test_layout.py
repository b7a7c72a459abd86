from __future__ import annotations

from olm_cli.graph.drawing import drawing_of
from olm_cli.graph.layout import Layout, Place, layout_of
from tests.graphs import a_graph
from tests.packages import a_package


def a_layout(bundles: list[str], *entries: str) -> Layout:
    return layout_of(drawing_of(a_graph(a_package(bundles, {"a": list(entries)}))))


def lanes(layout: Layout) -> list[tuple[str, str, int]]:
    return [(each.edge.source[3:], each.edge.target[3:], each.column) for each in layout.routes]


def test_chain_stands_in_one_column_and_the_skipped_beside_it() -> None:
    layout = a_layout(["0.9.0", "0.9.1", "0.9.2"], "0.9.2 (R 0.9.0; S 0.9.1)", "0.9.1 (R 0.9.0)", "0.9.0")
    assert layout.places == {"p.v0.9.2": Place(0, 0), "p.v0.9.1": Place(1, 1), "p.v0.9.0": Place(0, 2)}
    assert (layout.columns, lanes(layout)) == (2, [("0.9.1", "0.9.2", 0), ("0.9.0", "0.9.2", 0), ("0.9.0", "0.9.1", 1)])


def test_edges_to_one_bundle_share_a_column() -> None:
    versions = [f"1.{minor}.0" for minor in range(5)]
    layout = a_layout(versions, "1.4.0 (R 1.0.0; S 1.1.0 1.2.0 1.3.0)", *versions[:-1])
    assert lanes(layout) == [("1.3.0", "1.4.0", 0), ("1.2.0", "1.4.0", 2), ("1.1.0", "1.4.0", 2), ("1.0.0", "1.4.0", 0)]


def test_edge_to_a_lower_version_has_a_column_of_its_own() -> None:
    layout = a_layout(["1.0.0", "2.0.0", "3.0.0"], "1.0.0 (R 3.0.0)", "2.0.0", "3.0.0")
    assert {name: place.column for name, place in layout.places.items()} == {
        "p.v3.0.0": 0,
        "p.v2.0.0": 0,
        "p.v1.0.0": 0,
    }
    assert lanes(layout) == [("3.0.0", "1.0.0", 1)]


def test_cycle_is_laid_out() -> None:
    layout = a_layout(["1.0.0", "2.0.0"], "1.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0)")
    assert (layout.places, len(layout.routes)) == ({"p.v2.0.0": Place(0, 0), "p.v1.0.0": Place(0, 1)}, 2)


def test_nothing_is_laid_out() -> None:
    assert a_layout([]) == Layout({}, (), 0)
