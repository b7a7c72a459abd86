"""The upgrade edges of one package, indexed by the bundle they start from.

Rule: resolution.md 3, "Successor". Names may belong to bundles that do not exist: the graph does not care.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TypeVar

from olmv1.fbc import Channel, Entry
from olmv1.versions import SkipRange, Version

__all__ = ["ChannelGraph", "Edge", "EdgeKind", "InvalidSkipRange", "graph_of"]


_T = TypeVar("_T")


class EdgeKind(StrEnum):
    """The field of an entry that makes it a successor."""

    REPLACES = "replaces"
    SKIPS = "skips"
    SKIP_RANGE = "skipRange"


@dataclass(frozen=True, slots=True)
class Edge:
    """One way to the bundle `successor`; `text` is the name it starts from, or the text of the skipRange."""

    kind: EdgeKind
    channel: str
    successor: str
    text: str

    @property
    def is_named(self) -> bool:
        """Whether the edge names the bundle it starts from, as `replaces` and `skips` do."""
        return self.kind is not EdgeKind.SKIP_RANGE


@dataclass(frozen=True, slots=True)
class InvalidSkipRange:
    """An edge that silently does not exist, because its skipRange cannot be read."""

    channel: str
    entry: str
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class ChannelGraph:
    """All channels of a package.

    `members`: bundle name → channels with an entry of that name. `skipped`: bundle name → those of them in which some
    entry skips it.
    """

    channels: frozenset[str]
    members: Mapping[str, frozenset[str]]
    skipped: Mapping[str, frozenset[str]]
    named: Mapping[str, tuple[Edge, ...]]
    ranged: tuple[tuple[SkipRange, tuple[Edge, ...]], ...]
    invalid: tuple[InvalidSkipRange, ...]

    def edges_from(self, name: str, version: Version | None, channels: frozenset[str]) -> Mapping[str, Sequence[Edge]]:
        """Successor name → the edges that lead there from that bundle; no `channels` means all.

        Without a readable `version` no skipRange holds it.
        """
        leaving = list(self.named.get(name, ()))
        if version is not None:
            cut = (version.key, 0)
            # Spelled out: a package has hundreds of ranges, and asking each by its method takes twice as long.
            leaving += chain.from_iterable(
                edges for skip_range, edges in self.ranged if bisect_right(skip_range.admitted.cuts, cut) % 2
            )
        found: dict[str, list[Edge]] = {}
        for edge in leaving:
            if not channels or edge.channel in channels:
                if (edges := found.get(edge.successor)) is None:
                    found[edge.successor] = [edge]
                else:
                    edges.append(edge)
        return found


def graph_of(channels: Sequence[Channel]) -> ChannelGraph:
    """The graph of these channels; it does not depend on their order or on that of their entries."""
    entries = [(channel.name, entry) for channel in channels for entry in channel.entries]
    members = _grouped((entry.name, channel) for channel, entry in entries)
    named = [edge for channel, entry in entries for edge in _named_edges(channel, entry)]
    skipped = _grouped((edge.text, edge.channel) for edge in named if edge.kind is EdgeKind.SKIPS)
    ranged, invalid = _ranged_edges(entries)
    return ChannelGraph(
        channels=frozenset(channel.name for channel in channels),
        members=members,
        skipped={name: found & members[name] for name, found in skipped.items() if name in members},
        named={name: _sorted(edges) for name, edges in _grouped((edge.text, edge) for edge in named).items()},
        ranged=ranged,
        invalid=invalid,
    )


def _named_edges(channel: str, entry: Entry) -> Iterator[Edge]:
    if entry.replaces:
        yield Edge(EdgeKind.REPLACES, channel, entry.name, entry.replaces)
    for name in entry.skips:
        yield Edge(EdgeKind.SKIPS, channel, entry.name, name)


def _ranged_edges(
    entries: Iterable[tuple[str, Entry]],
) -> tuple[tuple[tuple[SkipRange, tuple[Edge, ...]], ...], tuple[InvalidSkipRange, ...]]:
    found: dict[SkipRange, set[Edge]] = defaultdict(set)
    invalid: set[InvalidSkipRange] = set()
    for channel, entry in entries:
        if not entry.skip_range:
            continue
        try:
            skip_range = SkipRange.parse(entry.skip_range)
        except ValueError as error:
            invalid.add(InvalidSkipRange(channel, entry.name, entry.skip_range, str(error)))
        else:
            found[skip_range].add(Edge(EdgeKind.SKIP_RANGE, channel, entry.name, entry.skip_range))
    ranged = tuple((skip_range, _sorted(found[skip_range])) for skip_range in sorted(found, key=str))
    return ranged, tuple(sorted(invalid, key=lambda bad: (bad.channel, bad.entry, bad.text)))


def _grouped(pairs: Iterable[tuple[str, _T]]) -> dict[str, frozenset[_T]]:
    found: dict[str, set[_T]] = defaultdict(set)
    for name, value in pairs:
        found[name].add(value)
    return {name: frozenset(values) for name, values in found.items()}


def _sorted(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(sorted(edges, key=lambda edge: (edge.channel, edge.kind, edge.successor)))
