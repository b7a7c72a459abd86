"""Precedence of semantic versions as plain tuples that compare in C.

Owns the keys that versions, releases and ranges are ordered by; knows no text format of a whole version.
Rule: semver.org 2.0.0 section 11; build metadata has no place in a key.
"""

from __future__ import annotations

__all__ = [
    "LOWEST_PRERELEASE",
    "NOT_A_PRERELEASE",
    "NUMBER_LIMIT",
    "Cut",
    "Identifiers",
    "Key",
    "identifiers_of",
    "next_major",
    "next_minor",
    "next_patch",
    "prerelease_of",
    "spelled",
]

NUMBER_LIMIT = 2**64
"""Numbers in a version stay below this: the reference holds them in 64 bits."""

Identifiers = tuple[tuple[int, int | str], ...]
"""Dot-separated identifiers: `(0, number)` sorts below `(1, word)`, a prefix below the longer list."""

Key = tuple[int, int, int, Identifiers]
"""Major, minor, patch, pre-release: two versions of equal precedence have equal keys."""

Cut = tuple[Key, int]
"""A place between versions: just before the version with that key (`0`) or just after it (`1`)."""

NOT_A_PRERELEASE: Identifiers = ((2, 0),)
LOWEST_PRERELEASE: Identifiers = ((0, 0),)


def identifiers_of(text: str) -> Identifiers:
    """The comparable form of `alpha.10`; any identifiers are accepted, empty text gives the empty list.

    Raises: ValueError for a number with a leading zero, or with so many digits that Python refuses to read it.
    """
    return tuple(_identifier(part) for part in text.split(".")) if text else ()


def prerelease_of(text: str) -> Identifiers:
    """The last part of a `Key`: the identifiers of a pre-release, or the mark of a released version for empty text."""
    return identifiers_of(text) or NOT_A_PRERELEASE


def next_major(key: Key) -> Key:
    """The lowest version of the next major number, its pre-releases included."""
    return (key[0] + 1, 0, 0, LOWEST_PRERELEASE)


def next_minor(key: Key) -> Key:
    """The lowest version of the next minor number, its pre-releases included."""
    return (key[0], key[1] + 1, 0, LOWEST_PRERELEASE)


def next_patch(key: Key) -> Key:
    """The lowest version of the next patch number, its pre-releases included."""
    return (key[0], key[1], key[2] + 1, LOWEST_PRERELEASE)


def spelled(key: Key) -> str:
    """The version text that has this key: `1.12.0-rc.1`."""
    major, minor, patch, identifiers = key
    text = f"{major}.{minor}.{patch}"
    return text if identifiers == NOT_A_PRERELEASE else f"{text}-{'.'.join(str(value) for _, value in identifiers)}"


def _identifier(text: str) -> tuple[int, int | str]:
    if not (text.isascii() and text.isdigit()):
        return (1, text)
    if text[0] == "0" and text != "0":
        raise ValueError(f'the number "{text}" has a leading zero')
    return (0, int(text))
