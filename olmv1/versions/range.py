"""The ranges that users write in a ClusterExtension: parsed once, compiled to sets of versions.

Rule: version-ranges.md 3 and 4. This is not the language of `skipRange`: see `skip_range`, a type of its own, so that
one can never be checked by the rules of the other.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

from olmv1.versions.comparator import COMPARATOR, VERSION, Comparator, Shape, parse_comparator
from olmv1.versions.precedence import Identifiers
from olmv1.versions.quoting import quoted
from olmv1.versions.range_error import RangeError
from olmv1.versions.version import Version
from olmv1.versions.version_set import VersionSet

__all__ = ["Range"]

_SIZE_LIMIT_BYTES = 512
_GROUP_LIMIT = 32
# One entry per range in use on a cluster; a parse costs 20-60 µs, a hit 0.1 µs.
_KEPT = 1024

_BLANKS = " \t\n\f\r"
_BLANK = r"[ \t\n\f\r]"
_SEPARATOR = re.compile(rf"{_BLANK}*,{_BLANK}*|{_BLANK}+")
_HYPHEN = re.compile(rf"{_BLANK}*({VERSION}){_BLANK}+-{_BLANK}+({VERSION}){_BLANK}*")


@dataclass(frozen=True, slots=True)
class _Group:
    """Comparators that must all hold."""

    text: str
    comparators: tuple[Comparator, ...]
    is_gate_open: bool
    admitted: VersionSet
    admitted_prereleases: VersionSet
    refused_everywhere: frozenset[tuple[int, int, Identifiers]]

    @classmethod
    def of(cls, text: str, comparators: tuple[Comparator, ...]) -> _Group:
        return cls(
            text,
            comparators,
            any(each.has_prerelease for each in comparators),
            VersionSet.intersection(each.admitted() for each in comparators),
            VersionSet.intersection(each.admitted_prereleases() for each in comparators),
            frozenset(refused for each in comparators if (refused := each.refuses_everywhere())),
        )

    def admits_prerelease(self, version: Version) -> bool:
        major, minor, _, prerelease = version.key
        return (
            self.is_gate_open
            and self.admitted_prereleases.contains(version.key)
            and (major, minor, prerelease) not in self.refused_everywhere
        )

    def intervals(self) -> tuple[str, ...]:
        if not self.is_gate_open:
            return self.admitted.intervals(prereleases=False)
        if self.refused_everywhere or self.admitted != self.admitted_prereleases:
            # `!=1.2.x` treats pre-releases differently from all other versions: only the text itself tells the truth.
            return (self.text.strip(),)
        return self.admitted.intervals(prereleases=True)


@dataclass(frozen=True, slots=True)
class Range:
    """A compiled range; equal texts are equal ranges."""

    text: str
    _groups: tuple[_Group, ...] = field(compare=False, repr=False)
    _admitted: VersionSet = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Range:
        """The range that `text` spells.

        Raises: RangeError, a ValueError whose text users are shown: `improper constraint: "foobar"`,
        `constraint parser error`, `constraint string is too long (max 512 bytes)`,
        `too many constraint groups (max 32)`.
        """
        return _parse(text)

    def contains(self, version: Version) -> bool:
        """Whether the version is in the range; build metadata on either side never matters."""
        if version.prerelease:
            return any(group.admits_prerelease(version) for group in self._groups)
        return self._admitted.contains(version.key)

    def hides(self, version: Version) -> bool:
        """Whether a pre-release is refused only because no comparator that could admit it names a pre-release."""
        return version.is_prerelease and self._admitted.contains(version.key) and not self.contains(version)

    @property
    def pinned_build(self) -> str | None:
        """The build metadata of a range that is one full version such as `1.0.0+2` or `=1.0.0+2`; else `None`."""
        match self.comparators:
            case (Comparator(operator="=", shape=Shape.FULL, build=build),):
                return build or None
            case _:
                return None

    @property
    def is_contradiction(self) -> bool:
        """Whether no version can be in the range, as in `<1.0.0 >=2.0.0`."""
        open_groups = (group for group in self._groups if group.is_gate_open)
        return not self._admitted.cuts and not any(group.admitted_prereleases.cuts for group in open_groups)

    @property
    def comparators(self) -> tuple[Comparator, ...]:
        """Every comparator in the order of the text, whatever group it belongs to."""
        return tuple(each for group in self._groups for each in group.comparators)

    @property
    def intervals(self) -> tuple[str, ...]:
        """The range for display, group by group: `[1.11.0, 1.13.0)`; nothing for a range that no version is in."""
        shown = (interval for group in self._groups for interval in group.intervals())
        return tuple(dict.fromkeys(shown))

    @property
    def admitted(self) -> VersionSet:
        """The versions without a pre-release that are in the range."""
        return self._admitted

    def __str__(self) -> str:
        return self.text


@functools.lru_cache(maxsize=_KEPT)
def _parse(text: str) -> Range:
    if len(text.encode(errors="surrogatepass")) > _SIZE_LIMIT_BYTES:
        raise RangeError(f"constraint string is too long (max {_SIZE_LIMIT_BYTES} bytes)")
    rewritten = _HYPHEN.sub(r">= \1, <= \2 ", text)
    parts = rewritten.split("||")
    if len(parts) > _GROUP_LIMIT:
        raise RangeError(f"too many constraint groups (max {_GROUP_LIMIT})")
    groups: list[_Group] = []
    start = 0
    for part in parts:
        try:
            groups.append(_Group.of(part, _comparators(part)))
        except RangeError as error:
            # Offsets in a rewritten text would point into something that nobody wrote.
            is_as_written = rewritten == text and error.position is not None
            position = start + (error.position or 0) if is_as_written else None
            raise RangeError(str(error), position) from error
        start += len(part) + len("||")
    return Range(text, tuple(groups), VersionSet.union(group.admitted for group in groups))


def _comparators(group: str) -> tuple[Comparator, ...]:
    found: list[re.Match[str]] = []
    position, end = len(group) - len(group.lstrip(_BLANKS)), len(group.rstrip(_BLANKS))
    while (comparator := COMPARATOR.match(group, position, end)) is not None:
        found.append(comparator)
        position = comparator.end()
        if position == end:
            return tuple(_compiled(each) for each in found)
        separator = _SEPARATOR.match(group, position, end)
        if separator is None:
            break
        position = separator.end()
    raise RangeError(f"improper constraint: {quoted(group)}", position)


def _compiled(found: re.Match[str]) -> Comparator:
    try:
        return parse_comparator(found)
    except ValueError as error:
        raise RangeError(str(error), found.start()) from error
