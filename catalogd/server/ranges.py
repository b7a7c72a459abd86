"""Byte ranges of a request. Pure. Rule: catalogd-http.md 6."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["ByteRange", "Unsatisfiable", "range_of"]

_ONE_RANGE = re.compile(r"bytes=\s*([0-9]{0,18})-([0-9]{0,18})\s*")


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from `start` up to, without, `stop`."""

    start: int
    stop: int


class Unsatisfiable:
    """The range begins behind the end."""


def range_of(header: str | None, size: int) -> ByteRange | Unsatisfiable | None:
    """The part of `size` bytes that `header` asks for; `None`: send all, as it is not exactly one range of bytes."""
    match = _ONE_RANGE.fullmatch(header) if header else None
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        length = int(match[2])
        return ByteRange(max(size - length, 0), size) if length and size else Unsatisfiable()
    start = int(match[1])
    if match[2] and int(match[2]) < start:
        return None
    if start >= size:
        return Unsatisfiable()
    return ByteRange(start, min(int(match[2]) + 1, size) if match[2] else size)
