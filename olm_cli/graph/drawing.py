"""What of a graph is drawn, and the words beside a bundle; the same for every format.

A skipRange holds any number of bundles, and a catalog that was pruned names many that are gone: drawing each of those
edges hides the others. The plain values (`document`) leave nothing out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from olm_cli.graph.model import GraphEdge, GraphNode, PackageGraph
from operator_controller.resolver import EdgeKind

__all__ = ["Drawing", "classes_of", "drawing_of", "notes_on"]

_FEW_SOURCES = 2
"""So many edges of one skipRange are all drawn."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The bundles and edges to draw, in the order of the graph."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def drawing_of(graph: PackageGraph) -> Drawing:
    """All bundles that exist or that something still replaces, with every named edge between them.

    Of a skipRange those edges are drawn that start at the installed bundle and at the highest one that it holds, unless
    it holds very few; none where a named edge leads the same way.
    """
    replaced = {edge.source for edge in graph.edges if edge.kind is EdgeKind.REPLACES}
    nodes = tuple(node for node in graph.nodes if not node.is_missing or node.is_installed or node.name in replaced)
    names = {node.name for node in nodes}
    kept = [edge for edge in graph.edges if edge.source in names and edge.target in names]
    ranged = set(_ranged(kept, graph.installed))
    return Drawing(nodes, tuple(edge for edge in kept if edge.kind is not EdgeKind.SKIP_RANGE or edge in ranged))


def _ranged(edges: list[GraphEdge], installed: str) -> Iterator[GraphEdge]:
    """The edges of skipRanges that are worth a line; the sources of `edges` come highest version first."""
    named = {(edge.source, edge.target) for edge in edges if edge.kind is not EdgeKind.SKIP_RANGE}
    by_range: dict[tuple[str, str], list[GraphEdge]] = defaultdict(list)
    for edge in edges:
        if edge.kind is EdgeKind.SKIP_RANGE:
            by_range[edge.target, edge.text].append(edge)
    for found in by_range.values():
        chosen = found if len(found) <= _FEW_SOURCES else [found[0], *(e for e in found if e.source == installed)]
        yield from (edge for edge in chosen if (edge.source, edge.target) not in named)


def notes_on(node: GraphNode, graph: PackageGraph) -> Iterator[str]:
    """What is worth saying about a bundle, most important first: `installed`, `deprecated`, `skipped in beta`."""
    if node.is_installed:
        yield "installed"
    if node.is_next:
        yield "next"
    elif node.is_reachable:
        yield "reachable"
    if node.is_missing:
        yield "not in the catalog"
    elif not node.version:
        yield "version cannot be read"
    if node.deprecations:
        yield "deprecated"
    if node.is_skipped:
        yield "skipped"
    elif node.skipped_in:
        yield f"skipped in {', '.join(node.skipped_in)}"
    if not node.is_missing and not node.channels:
        yield "in another channel" if node.is_elsewhere else "in no channel"
    yield from _classic(node, graph)


def classes_of(node: GraphNode) -> Iterator[str]:
    """The names of the styles that a bundle is drawn with; every format gives them looks of its own."""
    if node.is_installed:
        yield "installed"
    elif node.is_next:
        yield "next"
    elif node.is_reachable:
        yield "reachable"
    if node.deprecations:
        yield "deprecated"
    if node.is_missing:
        yield "missing"
    elif node.is_skipped:
        yield "skipped"


def _classic(node: GraphNode, graph: PackageGraph) -> Iterator[str]:
    """Where OLM Classic never takes the bundle although it is neither skipped nor in a channel that it refuses."""
    holding = [view for view in graph.channels if view.name in node.channels and not view.problem]
    off = [view.name for view in holding if node.name not in view.chain and view.name not in node.skipped_in]
    if off:
        yield "off Classic's chain" + (f" in {', '.join(off)}" if len(node.channels) > 1 else "")
