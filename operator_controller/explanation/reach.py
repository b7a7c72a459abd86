"""Every bundle that can be reached from the installed one, one upgrade at a time, each over the fewest steps.

A search in breadth over the edges of all catalogs. A skipRange is looked at by the first bundle that it holds and then
never again, so the search takes milliseconds for a package of any size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from olmv1.versions import Version, VersionRelease
from operator_controller.explanation.reading import Catalogs, version_of, with_package
from operator_controller.resolver import Candidate, Edge, PackageIndex, Request
from operator_controller.resolver.filters import FILTERS
from operator_controller.resolver.filters.major_hold import MAJOR_HOLD
from operator_controller.resolver.question import Question, view_of

__all__ = ["Reached", "reachable"]


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A bundle, and the last step to it: from `previous` (the name of a reached bundle or of the installed one)."""

    candidate: Candidate
    version: VersionRelease
    catalog: str
    edge: Edge
    previous: str


def reachable(request: Request, catalogs: Catalogs) -> Mapping[str, Reached]:
    """Bundle name → how it is reached, nearest first; the version range plays no part, the channels do.

    Of routes with the same number of steps the one over better bundles wins: not deprecated, then the highest version.
    """
    places = [_Place(catalog.name, index, request) for catalog, index in with_package(catalogs)]
    start = version_of(request.installed)
    found: dict[str, Reached] = {}
    level: list[tuple[str, Version | None]] = [(request.installed_name, None if start is None else start.version)]
    while level:
        new: dict[str, Reached] = {}
        for name, version in level:
            for place in places:
                for each in place.successors(name, version):
                    if each.candidate.name != request.installed_name and each.candidate.name not in found:
                        new.setdefault(each.candidate.name, each)
        ranked = sorted(new.values(), key=_rank, reverse=True)
        found.update((each.candidate.name, each) for each in ranked)
        level = [(each.candidate.name, each.version.version) for each in ranked]
    return found


def _rank(reached: Reached) -> tuple[object, ...]:
    return not reached.candidate.is_deprecated, reached.version.key, reached.candidate.name


class _Place:
    """One catalog during a search."""

    def __init__(self, catalog: str, index: PackageIndex, request: Request) -> None:
        self._catalog = catalog
        self._index = index
        self._channels = frozenset(request.channels)
        self._is_legal = _legality(request, index)
        self._ranges = _Ranges(index)

    def successors(self, name: str, version: Version | None) -> Iterator[Reached]:
        """The legal steps from that bundle; those over a skipRange only once."""
        edges = [*self._index.graph.named.get(name, ()), *self._ranges.leaving(version)]
        for edge in sorted(edges, key=lambda edge: edge.channel != self._index.default_channel):
            candidate = self._index.by_name.get(edge.successor)
            if (
                candidate is None
                or candidate.version is None
                or (self._channels and edge.channel not in self._channels)
            ):
                continue
            if self._is_legal(candidate):
                yield Reached(candidate, candidate.version, self._catalog, edge, name)


def _legality(request: Request, index: PackageIndex) -> Callable[[Candidate], bool]:
    """What must hold at every step, whatever version is asked for: the filters that need neither range nor origin."""
    anywhere = Question(
        replace(request, installed=None, range_text=None), None, frozenset(request.channels), installed_version=None
    )
    view = view_of(anywhere, index, may_go_back=True)
    rules = [keeps for rule in FILTERS if (keeps := rule.keeps(view)) is not None]
    origin = Question(request, None, frozenset(request.channels), version_of(request.installed))
    held = MAJOR_HOLD.keeps(view_of(origin, index, may_go_back=True))
    if held is not None:
        rules.append(held)
    return lambda candidate: all(keeps(candidate) for keeps in rules)


class _Ranges:
    """The skipRanges of a package, found by a version that they hold; each is given out once.

    A segment tree over the versions of the package: a range stands at the few nodes that cover its versions.
    """

    def __init__(self, index: PackageIndex) -> None:
        versions = {each.version.version.key for each in index.candidates if each.version is not None}
        self._cuts = [(key, 0) for key in sorted(versions)]
        self._tree: list[list[int]] = [[] for _ in range(2 * len(self._cuts))]
        self._ranged: list[tuple[Callable[[Version], bool], Sequence[Edge]] | None] = []
        for number, (skip_range, edges) in enumerate(index.graph.ranged):
            self._ranged.append((skip_range.contains, edges))
            for opens, closes in skip_range.admitted.pairs():
                end = len(self._cuts) if closes is None else bisect_left(self._cuts, closes)
                self._cover(bisect_left(self._cuts, opens), end, number)

    def leaving(self, version: Version | None) -> Iterator[Edge]:
        """The edges of every range that holds the version and was not given out before."""
        if version is None:
            return
        for number in self._holding(version):
            ranged = self._ranged[number]
            if ranged is not None:
                self._ranged[number] = None
                yield from ranged[1]

    def _cover(self, start: int, end: int, number: int) -> None:
        low, high = start + len(self._cuts), end + len(self._cuts)
        while low < high:
            if low & 1:
                self._tree[low].append(number)
                low += 1
            if high & 1:
                high -= 1
                self._tree[high].append(number)
            low, high = low >> 1, high >> 1

    def _holding(self, version: Version) -> list[int]:
        cut = (version.key, 0)
        place = bisect_left(self._cuts, cut)
        if place == len(self._cuts) or self._cuts[place] != cut:
            # Not a version of this catalog, which only the installed one can be, or one of another catalog.
            return [number for number, each in enumerate(self._ranged) if each is not None and each[0](version)]
        numbers: set[int] = set()
        node = place + len(self._cuts)
        while node:
            numbers.update(self._tree[node])
            self._tree[node] = []
            node >>= 1
        return sorted(numbers)
