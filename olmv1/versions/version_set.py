"""Sets of versions as sorted cuts, which is what both range languages are compiled to.

A membership test is one binary search over tuples. Pure algebra: no text is read here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from olmv1.versions.precedence import LOWEST_PRERELEASE, Cut, Key, spelled

__all__ = ["EVERYTHING", "NOTHING", "VersionSet", "above", "at_least", "below", "between", "exactly", "up_to"]

_LOWEST: Cut = ((0, 0, 0, LOWEST_PRERELEASE), 0)


@dataclass(frozen=True, slots=True)
class VersionSet:
    """Versions between pairs of cuts: the first opens, the second closes, and so on; an odd last one never closes."""

    cuts: tuple[Cut, ...] = ()

    def contains(self, key: Key) -> bool:
        """Whether the version with this key belongs to the set."""
        return bisect_right(self.cuts, (key, 0)) % 2 == 1

    @property
    def membership(self) -> Callable[[Key], bool]:
        """`contains` for someone who asks about hundreds of versions in a row: half the time of the method."""
        cuts = self.cuts
        return lambda key: bisect_right(cuts, (key, 0)) % 2 == 1

    def complement(self) -> VersionSet:
        """Every version that is not in this set."""
        if self.cuts and self.cuts[0] == _LOWEST:
            return VersionSet(self.cuts[1:])
        return VersionSet((_LOWEST, *self.cuts))

    @staticmethod
    def union(sets: Iterable[VersionSet]) -> VersionSet:
        """Every version that is in at least one of the sets."""
        pairs = sorted((pair for each in sets for pair in each.pairs()), key=lambda pair: pair[0])
        cuts: list[Cut] = []
        for opens, closes in pairs:
            if len(cuts) % 2:
                break  # a set without an end swallows whatever begins later
            if cuts and opens <= cuts[-1]:
                cuts[-1:] = [] if closes is None else [max(cuts[-1], closes)]
            else:
                cuts += [opens] if closes is None else [opens, closes]
        return VersionSet(tuple(cuts))

    @staticmethod
    def intersection(sets: Iterable[VersionSet]) -> VersionSet:
        """Every version that is in all of the sets."""
        return VersionSet.union(each.complement() for each in sets).complement()

    def pairs(self) -> Iterator[tuple[Cut, Cut | None]]:
        """Where each interval opens and closes, ascending; the last may have no end."""
        for opens in range(0, len(self.cuts), 2):
            yield self.cuts[opens], self.cuts[opens + 1] if opens + 1 < len(self.cuts) else None

    def intervals(self, *, prereleases: bool) -> tuple[str, ...]:
        """The set as people write it, `[1.11.0, 1.13.0)`; without `prereleases` bounds lose their lowest `-0`."""
        return tuple(_interval(opens, closes, prereleases=prereleases) for opens, closes in self.pairs())


EVERYTHING = VersionSet((_LOWEST,))
NOTHING = VersionSet()


def at_least(key: Key) -> VersionSet:
    """The version and all higher ones."""
    return VersionSet(((key, 0),))


def above(key: Key) -> VersionSet:
    """All higher versions."""
    return VersionSet(((key, 1),))


def below(key: Key) -> VersionSet:
    """All lower versions."""
    return at_least(key).complement()


def up_to(key: Key) -> VersionSet:
    """The version and all lower ones."""
    return above(key).complement()


def exactly(key: Key) -> VersionSet:
    """The version alone."""
    return VersionSet(((key, 0), (key, 1)))


def between(low: Key, high: Key) -> VersionSet:
    """The version `low` and everything up to `high`, which is not included; nothing when `low` is not the lower one."""
    return VersionSet(((low, 0), (high, 0))) if low < high else NOTHING


def _interval(opens: Cut, closes: Cut | None, *, prereleases: bool) -> str:
    low = _bound(opens[0], prereleases=prereleases)
    start = "(" if opens[1] else "["
    if closes is None:
        return f"{start}{low}, ∞)"
    if closes[0] == opens[0]:
        return f"[{low}]"
    return f"{start}{low}, {_bound(closes[0], prereleases=prereleases)}{']' if closes[1] else ')'}"


def _bound(key: Key, *, prereleases: bool) -> str:
    text = spelled(key)
    return text.removesuffix("-0") if key[3] == LOWEST_PRERELEASE and not prereleases else text
