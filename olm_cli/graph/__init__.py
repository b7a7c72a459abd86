"""The upgrade graph of a package, drawn: text, DOT, Mermaid, SVG, and as plain values.

`graph_of` builds a `PackageGraph` from what a catalog says; each format is one module that turns graphs into text. All
of it is pure. Whether an edge exists is decided in `operator_controller.resolver`.
"""

from __future__ import annotations

from olm_cli.graph.building import Subject, graph_of
from olm_cli.graph.document import graph_document
from olm_cli.graph.dot import dot_of
from olm_cli.graph.mermaid import mermaid_of
from olm_cli.graph.model import ChannelView, GraphEdge, GraphNode, PackageGraph
from olm_cli.graph.svg import svg_of
from olm_cli.graph.text import text_of

__all__ = [
    "ChannelView",
    "GraphEdge",
    "GraphNode",
    "PackageGraph",
    "Subject",
    "dot_of",
    "graph_document",
    "graph_of",
    "mermaid_of",
    "svg_of",
    "text_of",
]
