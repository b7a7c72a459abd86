"""Paths to fields of an object, as probes write them. Rule: revisions.md 4.2, with the segments of 9 row 17.

`status.phase`; a name with other characters stands in quotes (`metadata.annotations."example.com/x"`), an item of a
list is named by its place (`spec.ports.0.port`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

__all__ = ["ABSENT", "Lost", "at"]

ABSENT = object()
"""What stands at a path that leads nowhere."""

_LONGEST_PLACE = 9
_SEGMENT = re.compile(r'\.?([a-zA-Z0-9]+|"(?:[^"\\]|\\["\\])+")')


class Lost(ValueError):  # noqa: N818 - it is lost on the way, which is an answer and no failure of ours
    """The path goes on where there is nothing to go into."""


def at(value: object, path: str) -> object:
    """What stands at `path` of an object, or `ABSENT`.

    Raises:
        Lost: the path goes on behind something that is neither an object nor a list, or names no place in a list.
    """
    way = ""
    for segment in _segments(path):
        if isinstance(value, list) and segment.isdecimal():
            place = int(segment[:_LONGEST_PLACE])
            value = value[place] if place < len(value) else ABSENT
        elif isinstance(value, Mapping):
            value = value.get(segment, ABSENT)
        else:
            raise Lost(f"{way} is {_kind(value)}, expected an object")
        if value is ABSENT:
            return ABSENT
        way = f"{way}.{segment}"
    return value


@lru_cache(maxsize=1024)
def _segments(path: str) -> tuple[str, ...]:
    """The names in a path that the API admitted."""
    found = _SEGMENT.findall(path)
    return tuple(re.sub(r"\\(.)", r"\1", name[1:-1]) if name.startswith('"') else name for name in found)


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
    return "an object"
