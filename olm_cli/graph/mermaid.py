"""Graphs in the language of Mermaid, which code hosts draw inside of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from olm_cli.graph.drawing import Drawing, classes_of, drawing_of, notes_on
from olm_cli.graph.model import GraphEdge, PackageGraph
from olm_cli.output import cleaned
from operator_controller.resolver import EdgeKind

__all__ = ["mermaid_of"]

_CLASSES = (
    "classDef installed fill:#bfdbfe,stroke:#1d4ed8,stroke-width:2px",
    "classDef next fill:#bbf7d0,stroke:#15803d,stroke-width:2px",
    "classDef reachable fill:#f0fdf4,stroke:#15803d",
    "classDef deprecated stroke:#c2410c,stroke-width:2px",
    "classDef skipped color:#6b7280,stroke-dasharray:4",
    "classDef missing color:#6b7280,stroke-dasharray:4",
)
_UNSAFE = re.compile(r"[^A-Za-z0-9 ._+:/()=,*~-]")


def mermaid_of(graphs: Sequence[PackageGraph]) -> Iterator[str]:
    """The lines of one flowchart with a subgraph for each of `graphs`; upgrades point upwards."""
    yield "flowchart BT\n"
    ignored: list[int] = []
    count = 0
    for number, graph in enumerate(graphs):
        drawing = drawing_of(graph)
        yield f'  subgraph c{number}["{_escaped(graph.title)}"]\n'
        yield from _content(graph, drawing, f"c{number}n")
        yield "  end\n"
        ignored += [count + place for place, edge in enumerate(drawing.edges) if edge.is_ignored]
        count += len(drawing.edges)
    yield from (f"  {each}\n" for each in _CLASSES)
    if ignored:
        yield f"  linkStyle {','.join(map(str, ignored))} stroke:#b91c1c\n"


def _content(graph: PackageGraph, drawing: Drawing, prefix: str) -> Iterator[str]:
    ids = {node.name: f"{prefix}{number}" for number, node in enumerate(drawing.nodes)}
    for node in drawing.nodes:
        lines = [node.version or node.name, ", ".join(node.channels), ", ".join(notes_on(node, graph))]
        label = "<br/>".join(_escaped(line) for line in lines if line)
        yield f'    {ids[node.name]}["{label}"]\n'
        for name in classes_of(node):
            yield f"    class {ids[node.name]} {name}\n"
    for edge in drawing.edges:
        yield f"    {ids[edge.source]} {_arrow(edge)} {ids[edge.target]}\n"


def _arrow(edge: GraphEdge) -> str:
    match edge.kind:
        case EdgeKind.REPLACES:
            return "-->"
        case EdgeKind.SKIPS:
            return '-. "skips" .->'
        case EdgeKind.SKIP_RANGE:
            return f'-. "{_escaped(edge.text)}" .->'


def _escaped(text: str) -> str:
    """For inside of quotes: everything that Mermaid or a browser could take for more than a letter as its number."""
    return _UNSAFE.sub(lambda found: f"#{ord(found[0])};", cleaned(text))
