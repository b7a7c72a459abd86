"""One comparator of a range: an operator, a version that may be open, and the versions both admit.

Rule: version-ranges.md 3.2 and 4. Called by `range` only; pre-releases are gated there, per group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from olmv1.versions.precedence import (
    LOWEST_PRERELEASE,
    NOT_A_PRERELEASE,
    NUMBER_LIMIT,
    Identifiers,
    Key,
    next_major,
    next_minor,
    next_patch,
    prerelease_of,
)
from olmv1.versions.version_set import (
    EVERYTHING,
    VersionSet,
    above,
    at_least,
    below,
    between,
    exactly,
    up_to,
)

__all__ = ["COMPARATOR", "VERSION", "Comparator", "Shape", "parse_comparator"]

# A part may hold any of these characters: what is no number and no wildcard is another error (`12x`), told later.
_PART = r"[0-9xX*|]+"
_IDS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
VERSION = rf"v?{_PART}(?:\.{_PART})?(?:\.{_PART})?(?:-{_IDS})?(?:\+{_IDS})?"
COMPARATOR = re.compile(
    r"(?P<operator>=>|=<|=|!=|>=|>|<=|<|~>|~|\^)?[ \t\n\f\r]*"
    rf"v?(?P<first>{_PART})(?:\.(?P<second>{_PART}))?(?:\.(?P<third>{_PART}))?"
    rf"(?:-(?P<prerelease>{_IDS}))?(?:\+(?P<build>{_IDS}))?"
)
_WILDCARDS = frozenset({None, "x", "X", "*"})
_SYNONYMS = {None: "=", "=>": ">=", "=<": "<=", "~>": "~"}


class Shape(StrEnum):
    """How much of the version was written; the rest is zero."""

    FULL = "full"
    PATCH_OPEN = "patch-open"
    MINOR_OPEN = "minor-open"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Comparator:
    """A comparator with its synonyms resolved: `operator` is one of `= != > < >= <= ~ ^`; `build` never compares."""

    operator: str
    shape: Shape
    base: Key
    build: str

    @property
    def has_prerelease(self) -> bool:
        """Whether a pre-release is written, which opens the group to pre-releases."""
        return self.base[3] != NOT_A_PRERELEASE

    def admitted(self) -> VersionSet:
        """The versions it admits; for `!=` with an open patch, of those that are no pre-releases."""
        return _ADMITTED[self.operator](self.base, self.shape)

    def admitted_prereleases(self) -> VersionSet:
        """The pre-releases it admits once the gate is open, but for those that `refuses_everywhere` names."""
        return EVERYTHING if self._excludes_a_minor else self.admitted()

    def refuses_everywhere(self) -> tuple[int, int, Identifiers] | None:
        """Major, minor and the pre-release that `!=` with an open patch refuses at every patch number."""
        return (self.base[0], self.base[1], self.base[3]) if self._excludes_a_minor and self.has_prerelease else None

    @property
    def _excludes_a_minor(self) -> bool:
        return self.operator == "!=" and self.shape is Shape.PATCH_OPEN


def parse_comparator(found: re.Match[str]) -> Comparator:
    """The comparator that `COMPARATOR` matched.

    Raises: ValueError with the parser's text when a part is neither a number below 2^64 nor a wildcard, or the
    pre-release has a number with a leading zero.
    """
    first, second, third = found["first"], found["second"], found["third"]
    if first in _WILDCARDS:
        shape, numbers = Shape.ANY, (0, 0, 0)
    elif second in _WILDCARDS:
        shape, numbers = Shape.MINOR_OPEN, (_number(first), 0, 0)
    elif third in _WILDCARDS:
        shape, numbers = Shape.PATCH_OPEN, (_number(first), _number(second), 0)
    else:
        shape, numbers = Shape.FULL, (_number(first), _number(second), _number(third))
    try:
        prerelease = prerelease_of(found["prerelease"] or "")
    except ValueError as error:
        raise _unreadable() from error
    operator = _SYNONYMS.get(found["operator"], found["operator"])
    return Comparator(operator, shape, (*numbers, prerelease), found["build"] or "")


def _number(part: str) -> int:
    if not part.isdigit() or (value := int(part)) >= NUMBER_LIMIT:
        raise _unreadable()
    return value


def _unreadable() -> ValueError:
    return ValueError("constraint parser error")


def _equal(base: Key, shape: Shape) -> VersionSet:
    return exactly(base) if shape is Shape.FULL else _tilde(base, shape)


def _unequal(base: Key, shape: Shape) -> VersionSet:
    major, minor, _, prerelease = base
    match shape:
        case Shape.PATCH_OPEN if prerelease == NOT_A_PRERELEASE:
            return between((major, minor, 0, LOWEST_PRERELEASE), next_minor(base)).complement()
        case Shape.PATCH_OPEN:
            return EVERYTHING
        case Shape.MINOR_OPEN:
            return between((major, 0, 0, LOWEST_PRERELEASE), next_major(base)).complement()
        case _:
            return exactly(base).complement()


def _greater(base: Key, shape: Shape) -> VersionSet:
    match shape:
        case Shape.PATCH_OPEN:
            return at_least(next_minor(base))
        case Shape.MINOR_OPEN:
            return at_least(next_major(base))
        case _:
            return above(base)


def _at_most(base: Key, shape: Shape) -> VersionSet:
    match shape:
        case Shape.FULL:
            return up_to(base)
        case Shape.MINOR_OPEN:
            return below(next_major(base))
        case _:
            return below(next_minor(base))


def _tilde(base: Key, shape: Shape) -> VersionSet:
    is_zero = shape is Shape.FULL and base[:3] == (0, 0, 0)
    if shape is Shape.ANY or is_zero:
        return at_least(base)
    return between(base, next_major(base) if shape is Shape.MINOR_OPEN else next_minor(base))


def _caret(base: Key, shape: Shape) -> VersionSet:
    match shape:
        case Shape.ANY:
            return between(base, next_patch(base))
        case Shape.FULL if base[:2] == (0, 0):
            return between(base, next_patch(base))
        case Shape.FULL | Shape.PATCH_OPEN if base[0] == 0:
            return between(base, next_minor(base))
        case _:
            return between(base, next_major(base))


_ADMITTED: Mapping[str, Callable[[Key, Shape], VersionSet]] = {
    "=": _equal,
    "!=": _unequal,
    ">": _greater,
    "<": lambda base, _: below(base),
    ">=": lambda base, _: at_least(base),
    "<=": _at_most,
    "~": _tilde,
    "^": _caret,
}
