"""Where the bundles and edges of a drawing go: one row for each bundle, the highest version on top.

Columns come from what would cross: bundles that replace each other stand in one column, every other edge runs in a
column of its own for as long as it is, and edges of one kind that end at the same bundle share theirs. First fit, so
the result depends on the drawing alone. Linear in bundles and edges times the columns that are needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from olm_cli.graph.drawing import Drawing
from olm_cli.graph.model import GraphEdge
from operator_controller.resolver import EdgeKind

__all__ = ["Layout", "Place", "Route", "layout_of"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bundle is; columns count from the left, rows from the top, both from zero."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Route:
    """How an edge runs: from `source` into `column`, along it, and out of it to `target`."""

    edge: GraphEdge
    source: Place
    target: Place
    column: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places by bundle name, the routes in the order of the edges, and how many columns there are."""

    places: Mapping[str, Place]
    routes: tuple[Route, ...]
    columns: int


def layout_of(drawing: Drawing) -> Layout:
    """The layout of a drawing."""
    rows = {node.name: row for row, node in enumerate(drawing.nodes)}
    columns = _Columns()
    places: dict[str, Place] = {}
    links: set[tuple[str, str]] = set()
    for chain in _chains(drawing, rows):
        column = columns.take(rows[chain[0]], rows[chain[-1]])
        places |= {name: Place(column, rows[name]) for name in chain}
        links.update(pairwise(reversed(chain)))
    routes = [
        Route(edge, places[edge.source], places[edge.target], places[edge.target].column) for edge in drawing.edges
    ]
    lanes = _lanes((route for route in routes if not _is_straight(route, links)), columns)
    return Layout(
        places,
        tuple(
            route if _is_straight(route, links) else replace(route, column=lanes[_bus(route.edge)]) for route in routes
        ),
        columns.count,
    )


def _chains(drawing: Drawing, rows: Mapping[str, int]) -> Iterator[Sequence[str]]:
    """Every bundle in exactly one chain of `replaces` that only goes down, highest first."""
    below: dict[str, list[str]] = defaultdict(list)
    for edge in drawing.edges:
        if edge.kind is EdgeKind.REPLACES and rows[edge.source] > rows[edge.target]:
            below[edge.target].append(edge.source)
    taken: set[str] = set()
    for node in drawing.nodes:
        chain: list[str] = []
        name: str | None = node.name
        while name is not None and name not in taken:
            taken.add(name)
            chain.append(name)
            name = next((each for each in below[name] if each not in taken), None)
        if chain:
            yield chain


class _Columns:
    """Which rows of which column are in use."""

    def __init__(self) -> None:
        self._used: list[int] = []  # one bit for each row: whole intervals are compared at once

    @property
    def count(self) -> int:
        """How many columns there are."""
        return len(self._used)

    def take(self, first: int, last: int) -> int:
        """The leftmost column that is free from row `first` to row `last`; it no longer is."""
        rows = ((1 << (last - first + 1)) - 1) << first
        for column, used in enumerate(self._used):
            if not used & rows:
                self._used[column] |= rows
                return column
        self._used.append(rows)
        return len(self._used) - 1


_Bus = tuple[str, EdgeKind, bool]


def _bus(edge: GraphEdge) -> _Bus:
    """What an edge shares its column with."""
    return edge.target, edge.kind, edge.is_ignored


def _lanes(routes: Iterable[Route], columns: _Columns) -> Mapping[_Bus, int]:
    """The columns of edges that cannot go straight; short ones first, so that they stay near to their bundles."""
    spans: dict[_Bus, list[int]] = defaultdict(list)
    for route in routes:
        spans[_bus(route.edge)] += [route.source.row, route.target.row]
    order = sorted(spans, key=lambda bus: (max(spans[bus]) - min(spans[bus]), min(spans[bus]), bus))
    return {bus: columns.take(min(spans[bus]), max(spans[bus])) for bus in order}


def _is_straight(route: Route, links: Set[tuple[str, str]]) -> bool:
    """Whether nothing can be in between: along a chain, or to the next row."""
    return abs(route.source.row - route.target.row) == 1 or (route.edge.source, route.edge.target) in links
