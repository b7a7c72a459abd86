"""The index in memory: sorted line numbers by schema, package and name, and the offset of every line."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from catalogd.index.codec import decoded, encoded
from catalogd.index.columns import Columns

__all__ = ["Index"]

_EMPTY = ""


@dataclass(frozen=True, slots=True)
class Index:
    """Finds blobs by their own fields. Lines are numbered from 0; the lists are sorted.

    A blob without a schema is in no list, one without package or name not in that list: they are part of the whole
    catalog only. Rule: catalogd-http.md 4.
    """

    by_schema: Mapping[str, array[int]]
    by_package: Mapping[str, array[int]]
    by_name: Mapping[str, array[int]]
    _offsets: array[int]
    _columns: Columns

    @classmethod
    def of(cls, columns: Columns) -> Index:
        """The index of a table."""
        has_schema = [columns.texts[number] != _EMPTY for number in columns.schemas]
        return cls(
            by_schema=_lines_by_text(columns.texts, columns.schemas, has_schema),
            by_package=_lines_by_text(columns.texts, columns.packages, has_schema),
            by_name=_lines_by_text(columns.texts, columns.names, has_schema),
            _offsets=array("Q", accumulate(columns.lengths, initial=0)),
            _columns=columns,
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Index:
        """The index that `to_bytes` wrote. Raises: IndexFormatError for anything else, other formats included."""
        return cls.of(decoded(data))

    def to_bytes(self) -> bytes:
        """The index in its stored form, which names its format."""
        return encoded(self._columns)

    @property
    def blobs(self) -> int:
        """How many lines the catalog has."""
        return len(self._columns.lengths)

    @property
    def size_bytes(self) -> int:
        """The size of the file that the index describes."""
        return self._offsets[-1]

    def section(self, line: int) -> tuple[int, int]:
        """Offset and length in bytes of a line, its newline included."""
        return self._offsets[line], self._columns.lengths[line]


def _lines_by_text(texts: tuple[str, ...], column: array[int], has_schema: list[bool]) -> Mapping[str, array[int]]:
    lists: dict[int, array[int]] = {}
    for line, number in enumerate(column):
        if has_schema[line]:
            found = lists.get(number)
            if found is None:
                found = lists[number] = array("I")
            found.append(line)
    return {texts[number]: found for number, found in lists.items() if texts[number] != _EMPTY}
