"""A query and an index → byte ranges of the catalog file."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

from catalogd.index import Index
from catalogd.query.parse import MetasQuery

__all__ = ["select"]

_NOTHING = array("I")


def select(index: Index, query: MetasQuery) -> list[tuple[int, int]]:
    """Offset and length in bytes of every part of the file that the answer consists of, in the order of the file.

    Neighbouring blobs are one part; nothing matches: an empty list; everything is asked for: the whole file.
    """
    if query.is_whole:
        return [(0, index.size_bytes)] if index.size_bytes else []
    return _merged(index, _lines(index, query))


def _lines(index: Index, query: MetasQuery) -> Sequence[int]:
    """The numbers of the lines that have every field asked for, ascending."""
    wanted = ((index.by_schema, query.schema), (index.by_package, query.package), (index.by_name, query.name))
    lists = sorted((lines.get(text, _NOTHING) for lines, text in wanted if text), key=len)
    shortest, *others = lists
    return [line for line in shortest if all(_holds(other, line) for other in others)] if others else shortest


def _holds(lines: array[int], line: int) -> bool:
    place = bisect_left(lines, line)
    return place < len(lines) and lines[place] == line


def _merged(index: Index, lines: Sequence[int]) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    for line in lines:
        offset, length = index.section(line)
        if parts and sum(parts[-1]) == offset:
            parts[-1] = (parts[-1][0], parts[-1][1] + length)
        else:
            parts.append((offset, length))
    return parts
