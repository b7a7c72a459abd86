"""A graph as plain values: what `olm catalog graph -o json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olm_cli.graph.model import ChannelView, GraphEdge, GraphNode, PackageGraph

__all__ = ["graph_document"]


def graph_document(graph: PackageGraph) -> Mapping[str, Any]:
    """Every bundle and every edge, those of a skipRange from each bundle that it holds."""
    return {
        "package": graph.package,
        "catalog": graph.catalog,
        "deprecated": list(graph.deprecations),
        "installed": graph.installed or None,
        "next": next((node.name for node in graph.nodes if node.is_next), None),
        "channels": [_channel(view) for view in graph.channels],
        "bundles": [_bundle(node) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
        "notes": list(graph.notes),
    }


def _channel(view: ChannelView) -> Mapping[str, Any]:
    return {
        "name": view.name,
        "isDefault": view.is_default,
        "deprecated": list(view.deprecations),
        "classicChain": list(view.chain),
        "classicProblem": view.problem or None,
    }


def _bundle(node: GraphNode) -> Mapping[str, Any]:
    return {
        "bundle": node.name,
        "version": node.version or None,
        "channels": list(node.channels),
        "skippedIn": list(node.skipped_in),
        "deprecated": list(node.deprecations),
        "isMissing": node.is_missing,
        "isInstalled": node.is_installed,
        "isNext": node.is_next,
        "isReachable": node.is_reachable,
    }


def _edge(edge: GraphEdge) -> Mapping[str, Any]:
    return {
        "from": edge.source,
        "to": edge.target,
        "kind": edge.kind.value,
        **({"skipRange": edge.text} if edge.text else {}),
        "channels": list(edge.channels),
        "classicIgnoresIn": list(edge.classic_ignores),
    }
