"""Laws of drawn upgrade graphs that hold for every package."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from olm_cli.graph import PackageGraph, svg_of
from olm_cli.graph.drawing import drawing_of
from olm_cli.graph.layout import Layout, layout_of
from olmv1.fbc import Channel, Entry, Package
from operator_controller.resolver import EdgeKind
from tests.graphs import a_graph
from tests.packages import a_bundle

_quick = settings(derandomize=True, deadline=None, max_examples=60)

_versions = st.sampled_from([f"{major}.{minor}.0" for major in range(3) for minor in range(4)])
_names = _versions.map(lambda version: f"p.v{version}")
_entries = st.builds(
    Entry,
    name=_names,
    replaces=st.just("") | _names,
    skips=st.lists(_names, max_size=3).map(tuple),
    skip_range=st.just("") | _versions.map(lambda version: f"<{version}"),
)
_channels = st.builds(
    Channel,
    st.sampled_from(["a", "b"]),
    st.just("p"),
    st.lists(_entries, max_size=8, unique_by=lambda e: e.name).map(tuple),
)
_packages = st.builds(
    Package,
    st.just("p"),
    st.just("a"),
    st.lists(_channels, max_size=2, unique_by=lambda channel: channel.name).map(tuple),
    st.lists(_versions, unique=True).map(lambda versions: tuple(map(a_bundle, versions))),
)
_graphs = st.builds(
    lambda package, installed: a_graph(package, installed=installed), _packages, st.just("") | _versions
)


@_quick
@given(_packages)
def test_graph_does_not_depend_on_the_order_of_a_catalog(package: Package) -> None:
    turned = Package(
        "p",
        "a",
        tuple(Channel(each.name, "p", each.entries[::-1]) for each in package.channels[::-1]),
        package.bundles[::-1],
    )
    assert a_graph(turned, installed="1.0.0") == a_graph(package, installed="1.0.0")


@_quick
@given(_graphs)
def test_next_bundle_is_reachable(graph: PackageGraph) -> None:
    assert all(node.is_reachable for node in graph.nodes if node.is_next)


@_quick
@given(_graphs)
def test_every_bundle_has_a_place_of_its_own(graph: PackageGraph) -> None:
    layout = layout_of(drawing_of(graph))
    rows = [place.row for place in layout.places.values()]
    assert sorted(rows) == list(range(len(rows)))
    assert all(place.column < layout.columns for place in layout.places.values())


@_quick
@given(_graphs)
def test_no_edge_runs_through_a_bundle(graph: PackageGraph) -> None:
    layout = layout_of(drawing_of(graph))
    for route in layout.routes:
        assert not list(_bundles_on(route.column, route.source.row, route.target.row, layout))


def _bundles_on(column: int, first: int, last: int, layout: Layout) -> list[int]:
    between = range(min(first, last) + 1, max(first, last))
    return [place.row for place in layout.places.values() if place.column == column and place.row in between]


@_quick
@given(_graphs)
def test_named_edges_between_bundles_are_all_drawn(graph: PackageGraph) -> None:
    drawing = drawing_of(graph)
    there = {node.name for node in graph.nodes if not node.is_missing}
    named = {
        edge for edge in graph.edges if edge.kind is not EdgeKind.SKIP_RANGE and {edge.source, edge.target} <= there
    }
    assert named <= set(drawing.edges)


@_quick
@given(_graphs, _graphs)
def test_image_is_well_formed(one: PackageGraph, other: PackageGraph) -> None:
    root = ElementTree.fromstring("".join(svg_of([one, other])))
    drawn = [
        len(group.findall("{http://www.w3.org/2000/svg}path")) for group in root.iter("{http://www.w3.org/2000/svg}g")
    ]
    assert drawn == [len(drawing_of(graph).edges) for graph in (one, other)]
