"""Upgrade graphs for tests: built from packages in the notation of `tests.packages`."""

from __future__ import annotations

from olm_cli.graph import PackageGraph, Subject, graph_of, text_of
from olm_cli.output.plain import plain_lines
from olmv1.fbc import Package
from operator_controller.resolver import index_package
from tests.packages import an_installed

__all__ = ["a_graph", "edges_of", "lines_of"]


def a_graph(package: Package, *, channels: tuple[str, ...] = (), installed: str = "") -> PackageGraph:
    """The graph of a package in catalog `cat`; `installed` is a version, or a name."""
    start = an_installed(installed) if installed else None
    return graph_of(Subject("cat", package, index_package(package), frozenset(channels), start))


def edges_of(graph: PackageGraph) -> list[str]:
    """Every edge as `1.0.0 → 1.1.0 replaces in a,b`, with what OLM Classic does not see."""
    return [
        f"{edge.source.removeprefix('p.v')} → {edge.target.removeprefix('p.v')} "
        f"{edge.kind}{f' {edge.text}' if edge.text else ''} in {','.join(edge.channels)}"
        + (f" not classic in {','.join(edge.classic_ignores)}" if edge.classic_ignores else "")
        for edge in graph.edges
    ]


def lines_of(graph: PackageGraph) -> list[str]:
    """The lines of the graph as text."""
    return list(plain_lines(text_of(graph)))
