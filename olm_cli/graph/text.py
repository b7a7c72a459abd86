"""A graph as a table: one line for each bundle, with what it upgrades from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from olm_cli.graph.drawing import notes_on
from olm_cli.graph.model import GraphEdge, GraphNode, PackageGraph
from olm_cli.output import Block, Cell, Fields, Line, Table, Tone
from operator_controller.resolver import EdgeKind

__all__ = ["text_of"]

_FEW = 4
_INSTALLED = "● installed   ◉ the next upgrade   ○ reachable, one upgrade after the other"
_DEFAULT = "* the default channel"


def text_of(graph: PackageGraph) -> Iterator[Block]:
    """Head, table and remarks; bundles that only edges name are counted, not listed."""
    yield Line(graph.title, Tone.STRONG)
    if graph.installed:
        found = next((node.name for node in graph.nodes if node.is_next), "")
        yield Fields([("installed", graph.installed), ("next", found or "nothing better to go to")])
    yield Line()
    incoming: dict[str, list[GraphEdge]] = defaultdict(list)
    for edge in graph.edges:
        incoming[edge.target].append(edge)
    shown = [node for node in graph.nodes if not node.is_missing or node.is_installed or incoming[node.name]]
    versions = {node.name: _label(node) for node in graph.nodes}
    titles = ["", "VERSION", "CHANNELS", "UPGRADES FROM", "BUNDLE", "NOTES"]
    yield Table(titles, [_row(node, graph, _sources(incoming[node.name], versions)) for node in shown])
    remarks = list(_remarks(graph, len(graph.nodes) - len(shown)))
    yield from (Line(), *remarks) if remarks else ()


def _label(node: GraphNode) -> str:
    return node.version or node.name


def _row(node: GraphNode, graph: PackageGraph, sources: str) -> list[Cell | str]:
    defaults = {view.name for view in graph.channels if view.is_default}
    channels = ", ".join(f"{name}*" if name in defaults else name for name in node.channels)
    notes = ", ".join(notes_on(node, graph))
    return [
        _mark(node),
        Cell(node.version or "?", _tone(node)),
        channels,
        sources,
        node.name,
        Cell(notes, Tone.DOUBTFUL),
    ]


def _mark(node: GraphNode) -> Cell:
    if node.is_installed:
        return Cell("●", Tone.STRONG)
    if node.is_next:
        return Cell("◉", Tone.GOOD)
    return Cell("○", Tone.GOOD) if node.is_reachable else Cell("")


def _tone(node: GraphNode) -> Tone:
    if node.is_missing or node.is_skipped:
        return Tone.FAINT
    return Tone.DOUBTFUL if node.deprecations else Tone.STRONG


def _sources(edges: Sequence[GraphEdge], versions: Mapping[str, str]) -> str:
    """`1.0.1, skips 1.0.0, ">=1.0.0 <1.2.0" (7 bundles)`; an exclamation mark where OLM Classic does not go."""
    parts = [f"{versions[edge.source]}{_warning(edge)}" for edge in edges if edge.kind is EdgeKind.REPLACES]
    skips = [f"{versions[edge.source]}{_warning(edge)}" for edge in edges if edge.kind is EdgeKind.SKIPS]
    if skips:
        more = f" and {len(skips) - _FEW} more" if len(skips) > _FEW else ""
        parts.append(f"skips {' '.join(skips[:_FEW])}{more}")
    ranged: dict[str, list[GraphEdge]] = defaultdict(list)
    for edge in edges:
        if edge.kind is EdgeKind.SKIP_RANGE:
            ranged[edge.text].append(edge)
    for text, found in ranged.items():
        parts.append(f'"{text}" ({len(found)} bundle{"s" * (len(found) != 1)}){_warning(found[0])}')
    return ", ".join(parts)


def _warning(edge: GraphEdge) -> str:
    return "!" if edge.is_ignored else ""


def _remarks(graph: PackageGraph, gone: int) -> Iterator[Block]:
    """What needs more than a cell."""
    legends = [_INSTALLED] * bool(graph.installed) + [_DEFAULT] * any(view.is_default for view in graph.channels)
    if legends:
        yield Line("   ".join(legends), Tone.FAINT)
    if any(edge.is_ignored for edge in graph.edges):
        text = "! OLM Classic ignores this edge: it follows one chain of replaces, and a skipRange of its head only"
        yield Line(text, Tone.FAINT)
    if gone:
        names = "1 more name" if gone == 1 else f"{gone} more names"
        yield Line(f"edges start at {names} that the catalog does not have", Tone.FAINT)
    yield from (Line(text, Tone.DOUBTFUL) for text in _deprecations(graph))
    for view in graph.channels:
        if view.problem:
            yield Line(f"OLM Classic refuses channel {view.name}: {view.problem}", Tone.DOUBTFUL)
    yield from (Line(note, Tone.BAD) for note in graph.notes)


def _deprecations(graph: PackageGraph) -> Iterator[str]:
    yield from (f"package deprecated: {text}" for text in graph.deprecations)
    for view in graph.channels:
        yield from (f"channel {view.name} deprecated: {text}" for text in view.deprecations)
    for node in graph.nodes:
        yield from (f"bundle {node.name} deprecated: {text}" for text in node.deprecations)
