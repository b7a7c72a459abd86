"""The ranges of catalogs: `skipRange` of a channel entry and the version ranges of requirements.

Rule: version-ranges.md 7, its oddities included. This is not the language of users' ranges: see `range`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from olmv1.versions.precedence import Key, next_major, next_minor
from olmv1.versions.quoting import quoted
from olmv1.versions.range_error import RangeError
from olmv1.versions.version import Version
from olmv1.versions.version_set import VersionSet, above, at_least, below, exactly, up_to

__all__ = ["SkipRange"]

# Channels of one package repeat few texts; catalogs of several OpenShift versions share them. A parse costs 15-40 µs.
_KEPT = 4096

_OR = "||"
_WAITS_FOR_VERSION = frozenset("<>=")
_NEXT: Mapping[int, Callable[[Key], Key]] = {1: next_major, 2: next_minor}  # by the dots before `x`
_DIGIT = re.compile(r"[0-9]")
_SETS: Mapping[str, Callable[[Key], VersionSet]] = {
    "": exactly,
    "=": exactly,
    "==": exactly,
    "!": lambda key: exactly(key).complement(),
    "!=": lambda key: exactly(key).complement(),
    ">": above,
    ">=": at_least,
    "<": below,
    "<=": up_to,
}


@dataclass(frozen=True, slots=True)
class SkipRange:
    """A compiled range; equal texts are equal ranges."""

    text: str
    admitted: VersionSet = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> SkipRange:
        """The range that `text` spells.

        Raises: RangeError, a ValueError naming the part that is unreadable; its position is where the part begins. Two
        `||` in a row are refused: evaluating such a range crashes the reference.
        """
        return _parse(text)

    def contains(self, version: Version) -> bool:
        """Whether the version is in the range by precedence alone: pre-releases are ordinary versions here."""
        return self.admitted.contains(version.key)

    @property
    def intervals(self) -> tuple[str, ...]:
        """The range for display: `[1.2.0, 1.3.0)`; nothing for a range that no version is in."""
        return self.admitted.intervals(prereleases=True)

    def __str__(self) -> str:
        return self.text


@functools.lru_cache(maxsize=_KEPT)
def _parse(text: str) -> SkipRange:
    # All wildcards are expanded before any comparator is read: of several faults the reference names the same one.
    groups = [
        [token._replace(text=part) for token in group for part in _at(token, _expanded)]
        for group in _groups(_tokens(text), len(text))
    ]
    sets = ([_at(token, _set_of) for token in group] for group in groups)
    return SkipRange(text, VersionSet.union(map(VersionSet.intersection, sets)))


class _Token(NamedTuple):
    """A piece of a range, and where it begins."""

    text: str
    position: int


_T = TypeVar("_T")


def _at(token: _Token, read: Callable[[str], _T]) -> _T:
    """What is read from the token; errors say where it stands."""
    try:
        return read(token.text)
    except ValueError as error:
        raise RangeError(str(error), token.position) from error


def _tokens(text: str) -> list[_Token]:
    """Pieces between blanks; a blank after `<`, `>` or `=` does not cut, a piece of one character is dropped."""
    pieces: list[_Token] = []
    start, previous = 0, ""
    for position, character in enumerate(text):
        if character != " ":
            previous = character
        elif previous not in _WAITS_FOR_VERSION:
            pieces.append(_Token(text[start:position], start))
            start = position + 1
    pieces.append(_Token(text[start:], start))
    return [_Token(piece.replace(" ", ""), start) for piece, start in pieces if len(piece) > 1]


def _groups(tokens: Sequence[_Token], end: int) -> Iterator[Sequence[_Token]]:
    if tokens and tokens[0].text == _OR:
        raise RangeError(f"First element in range is '{_OR}'", tokens[0].position)
    if not tokens or tokens[-1].text == _OR:
        raise RangeError(f"Last element in range is '{_OR}'", end)
    start = 0
    for number, token in enumerate((*tokens, _Token(_OR, end))):
        if token.text == _OR:
            if start == number:
                raise RangeError(f"Two '{_OR}' in a row: nothing stands between them", token.position)
            yield tokens[start:number]
            start = number + 1


def _expanded(token: str) -> tuple[str, ...]:
    """The comparators that a token with a wildcard stands for; the token itself when it has no letter `x`."""
    if "x" not in token:
        return (token,)
    operator, written = _split(token)
    low = _without_wildcard(written)
    match operator:
        case ">=" | "<":
            return (operator + low,)
        case ">":
            return (">=" + _after(written, low, token),)
        case "<=":
            return ("<" + _after(written, low, token),)
        case "" | "=" | "==":
            return (">=" + low, "<" + _after(written, low, token))
        case "!" | "!=":
            return ("<" + low, ">=" + _after(written, low, token))
        case _:
            return (low,)  # an unknown operator is dropped, with it the wildcard


def _without_wildcard(written: str) -> str:
    flat = written.replace(".x.x", ".x", 1).replace(".x", ".0", 1)
    return f"{flat}.0" if flat.count(".") == 1 else flat


def _after(written: str, low: str, token: str) -> str:
    """The first version behind a wildcard, as text; only `N.x` and `N.N.x` have one."""
    step = _NEXT.get(written.count(".")) if written.endswith(".x") else None
    if step is None:
        raise ValueError(f"Could not get version from string: {quoted(token)}")
    major, minor, *_ = step(_version(low, token).key)
    return f"{major}.{minor}.0"


def _set_of(token: str) -> VersionSet:
    operator, written = _split(token)
    admitted = _SETS.get(operator)
    if admitted is None:
        raise ValueError(
            f"Could not parse Range {quoted(token)}: Could not parse comparator {quoted(operator)} in {quoted(token)}"
        )
    return admitted(_version(written, token).key)


def _split(token: str) -> tuple[str, str]:
    digit = _DIGIT.search(token)
    if digit is None:
        raise ValueError(f"Could not get version from string: {quoted(token)}")
    return token[: digit.start()], token[digit.start() :]


def _version(written: str, token: str) -> Version:
    try:
        return Version.parse(written)
    except ValueError as error:
        raise ValueError(
            f"Could not parse Range {quoted(token)}: "
            f"Could not parse version {quoted(written)} in {quoted(token)}: {error}"
        ) from error
