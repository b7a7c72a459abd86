"""Graphs in the language of Graphviz: `olm catalog graph PKG -o dot | dot -Tsvg`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from olm_cli.graph.drawing import Drawing, drawing_of, notes_on
from olm_cli.graph.model import GraphEdge, GraphNode, PackageGraph
from olm_cli.output import cleaned
from operator_controller.resolver import EdgeKind

__all__ = ["dot_of"]

_STYLES = {EdgeKind.REPLACES: "solid", EdgeKind.SKIPS: "dashed", EdgeKind.SKIP_RANGE: "dotted"}


def dot_of(graphs: Sequence[PackageGraph]) -> Iterator[str]:
    """The lines of one directed graph with a cluster for each of `graphs`; upgrades point upwards."""
    yield "digraph upgrades {\n"
    yield "  rankdir=BT;\n"
    yield '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=11];\n'
    yield '  edge [fontname="sans-serif", fontsize=9];\n'
    for number, graph in enumerate(graphs):
        yield f"  subgraph cluster_{number} {{\n"
        yield f"    label={_quoted(graph.title)};\n"
        yield from _content(graph, drawing_of(graph), f"c{number}n")
        yield "  }\n"
    yield "}\n"


def _content(graph: PackageGraph, drawing: Drawing, prefix: str) -> Iterator[str]:
    ids = {node.name: f"{prefix}{number}" for number, node in enumerate(drawing.nodes)}
    for node in drawing.nodes:
        yield f"    {ids[node.name]} [{_node(node, graph)}];\n"
    for edge in drawing.edges:
        yield f"    {ids[edge.source]} -> {ids[edge.target]} [{_edge(edge, graph)}];\n"


def _node(node: GraphNode, graph: PackageGraph) -> str:
    notes = ", ".join(notes_on(node, graph))
    lines = [node.version or node.name, ", ".join(node.channels), notes]
    label = "\\n".join(_escaped(line) for line in lines if line)
    attributes = [f'label="{label}"', f"tooltip={_quoted(node.name)}"]
    if node.is_missing or node.is_skipped:
        attributes.append('style="rounded,filled,dashed", fontcolor=gray40')
    if node.is_installed:
        attributes.append("fillcolor=lightskyblue, penwidth=2")
    elif node.is_next:
        attributes.append("fillcolor=palegreen, penwidth=2")
    elif node.is_reachable:
        attributes.append("fillcolor=honeydew")
    if node.deprecations:
        attributes.append("color=darkorange")
    return ", ".join(attributes)


def _edge(edge: GraphEdge, graph: PackageGraph) -> str:
    attributes = [f"style={_STYLES[edge.kind]}"]
    words = [edge.text] if edge.text else []
    if len(edge.channels) < len(graph.channels):
        words.append(", ".join(edge.channels))
    if words:
        attributes.append(f"label={_quoted('; '.join(words))}")
    if edge.is_ignored:
        attributes.append('color=firebrick, tooltip="ignored by OLM Classic"')
    if edge.kind is not EdgeKind.REPLACES:
        attributes.append("constraint=false" if edge.kind is EdgeKind.SKIP_RANGE else "weight=0")
    return ", ".join(attributes)


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """For inside of quotes: no text of a catalog ends them, and none is read as one of Graphviz's escapes."""
    return cleaned(text).replace("\\", "\\\\").replace('"', '\\"')
