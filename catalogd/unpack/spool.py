"""The blobs of a catalog image while its layers stream past: written down as they come, put in order at the end.

Files come in the order of the image, `.indexignore` possibly last, so nothing can be decided before the end: parsed
lines go to one scratch file, errors of single files wait until it is known that the file counts. Memory holds names and
offsets only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from olmv1.fbc import FbcError
from olmv1.fbc.blobs import blobs_of_file
from olmv1.fbc.files import is_catalog_file, walk_order
from olmv1.fbc.ignore import IGNORE_FILE, IgnoreStack
from olmv1.fbc.validation import FileLines

__all__ = ["Head", "Spool"]


@dataclass(frozen=True, slots=True)
class Head:
    """What the index needs of a blob; `length` is that of its line with the newline, in bytes."""

    schema: str
    package: str
    name: str
    length: int


@dataclass(frozen=True, slots=True)
class _File:
    """Where the lines of one file are in the scratch file, or why it has none."""

    offset: int
    length: int
    heads: tuple[Head, ...]
    failure: FbcError | None


class Spool:
    """Takes files in any order from one thread at a time; `scratch` is an empty file that belongs to it."""

    def __init__(self, scratch: BinaryIO) -> None:
        self._scratch = scratch
        self._end = 0
        self._files: dict[str, _File] = {}
        self._ignores: dict[str, bytes] = {}
        self._passed_over: list[str] = []

    def add(self, path: str, content: bytes) -> None:
        """Take the file `path` (relative to the catalog's directory); a faulty one is reported by `pieces` only."""
        if path.rpartition("/")[2] == IGNORE_FILE:
            self._ignores[path] = content
        elif is_catalog_file(path):
            self._files[path] = self._parsed(path, content)
        else:
            self._passed_over.append(path)

    @property
    def passed_over(self) -> tuple[str, ...]:
        """The files that are no catalog files by their names, sorted."""
        return tuple(sorted(self._passed_over))

    def pieces(self, chunk_bytes: int = 1 << 20) -> Iterator[tuple[tuple[Head, ...], Iterator[bytes]]]:
        """The heads and the lines of every file that counts, in walk order; the lines come in pieces.

        Raises:
            FbcError: a file that counts could not be parsed, or an `.indexignore` file cannot be used.
        """
        ignored = IgnoreStack.parse(self._ignores)
        for path in sorted(self._files, key=walk_order):
            if ignored.ignores(path):
                continue
            file = self._files[path]
            if file.failure is not None:
                raise file.failure
            yield file.heads, self._read(file, chunk_bytes)

    def layout(self) -> tuple[FileLines, ...]:
        """How many lines each file gave that counts, in walk order. Raises: as `pieces`, for `.indexignore` only."""
        ignored = IgnoreStack.parse(self._ignores)
        paths = (path for path in sorted(self._files, key=walk_order) if not ignored.ignores(path))
        return tuple(FileLines(path, len(self._files[path].heads)) for path in paths)

    def _parsed(self, path: str, content: bytes) -> _File:
        offset, heads, failure = self._end, [], None
        try:
            for blob in blobs_of_file(content, path):
                self._scratch.write(blob.json)
                self._scratch.write(b"\n")
                length = len(blob.json) + 1
                self._end += length
                heads.append(Head(blob.schema, blob.package, blob.name, length))
        except FbcError as error:
            # A new one: the frames of this one would keep the content of the file in memory.
            failure = FbcError(str(error))
        return _File(offset, self._end - offset, tuple(heads), failure)

    def _read(self, file: _File, chunk_bytes: int) -> Iterator[bytes]:
        self._scratch.seek(file.offset)
        left = file.length
        while left:
            piece = self._scratch.read(min(chunk_bytes, left))
            if not piece:
                raise EOFError("scratch file ends early")
            left -= len(piece)
            yield piece
