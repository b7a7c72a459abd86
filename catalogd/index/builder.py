"""Building an index line by line, in the order of the file."""

from __future__ import annotations

from array import array

from catalogd.index.columns import Columns, no_numbers
from catalogd.index.index import Index

__all__ = ["IndexBuilder"]


class IndexBuilder:
    """Takes the blobs of a catalog in the order of its file."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._lengths = no_numbers()
        self._schemas, self._packages, self._names = no_numbers(), no_numbers(), no_numbers()

    def add(self, schema: str, package: str, name: str, length: int) -> None:
        """The next line: the blob's own fields (empty when absent) and its length in bytes, newline included."""
        self._lengths.append(length)
        for column, text in ((self._schemas, schema), (self._packages, package), (self._names, name)):
            column.append(self._number(text))

    def build(self) -> Index:
        """The index of all lines so far."""
        texts = tuple(self._texts)
        copies = (array("Q", c) for c in (self._lengths, self._schemas, self._packages, self._names))
        return Index.of(Columns(texts, *copies))

    def _number(self, text: str) -> int:
        # Each text is kept once: a package has hundreds of blobs.
        return self._texts.setdefault(text, len(self._texts))
