"""Content that can be read: open files and the index, which stay valid for whoever holds them.

The server takes a snapshot once per request and reads only from it, so an answer never mixes two contents. The files
may be unlinked meanwhile: the last holder closes them.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from pathlib import Path

from isal import isal_zlib

from catalogd.index import Index
from catalogd.store.layout import DATA_FILE, GZIP_FILE, INDEX_FILE, MANIFEST_FILE, ZSTD_FILE
from catalogd.store.manifest import ContentManifest, FileSeal

__all__ = ["BrokenContentError", "ContentFile", "Snapshot"]

_CHUNK_BYTES = 1 << 20


class BrokenContentError(Exception):
    """A content directory does not hold what its manifest says; `str(error)` says what differs."""


class ContentFile:
    """One open file of a content; closed when the last holder lets it go."""

    __slots__ = ("__weakref__", "descriptor", "size_bytes")

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.size_bytes = os.fstat(self.descriptor).st_size
        weakref.finalize(self, os.close, self.descriptor)

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; a page that was evicted is read from the disk."""
        return os.pread(self.descriptor, length, offset)

    def expect(self, offset: int, length: int) -> None:
        """Ask the kernel to have the part in memory soon."""
        os.posix_fadvise(self.descriptor, offset, length, os.POSIX_FADV_WILLNEED)

    def crc32(self) -> int:
        """The checksum of the whole file."""
        value = 0
        for offset in range(0, self.size_bytes, _CHUNK_BYTES):
            value = isal_zlib.crc32(self.read(offset, _CHUNK_BYTES), value)
        return value


class Snapshot:
    """One content of one catalog, as it was when it was opened."""

    __slots__ = ("data", "gzip", "index", "manifest", "zstd")

    def __init__(self, folder: Path) -> None:
        """Open the content in `folder` without reading the large files.

        Raises:
            OSError, ValueError: a file is absent or unreadable.
        """
        self.manifest = ContentManifest.parse((folder / MANIFEST_FILE).read_bytes())
        self.data = ContentFile(folder / DATA_FILE)
        self.gzip = ContentFile(folder / GZIP_FILE)
        self.zstd = ContentFile(folder / ZSTD_FILE)
        self.index = Index.from_bytes((folder / INDEX_FILE).read_bytes())

    @property
    def digest(self) -> str:
        """The image digest that the content was made from, `sha256:…`."""
        return self.manifest.ref.rpartition("@")[2]

    def lines(self) -> Iterator[bytes]:
        """The blobs in their order, without newlines; one at a time is in memory."""
        pieces: list[bytes] = []
        for offset in range(0, self.data.size_bytes, _CHUNK_BYTES):
            first, *rest = self.data.read(offset, _CHUNK_BYTES).split(b"\n")
            pieces.append(first)
            for piece in rest:
                yield b"".join(pieces)
                pieces = [piece]

    @classmethod
    def verified(cls, folder: Path, catalog: str) -> Snapshot:
        """The content in `folder` after every byte was compared with the manifest; it must belong to `catalog`.

        Raises:
            BrokenContentError: something is absent, unreadable, cut or changed.
        """
        try:
            made = cls(folder)
            files = {DATA_FILE: made.data, GZIP_FILE: made.gzip, ZSTD_FILE: made.zstd}
            files[INDEX_FILE] = ContentFile(folder / INDEX_FILE)
            if made.manifest.catalog != catalog:
                raise BrokenContentError(f'content belongs to catalog "{made.manifest.catalog}"')
            for name, file in files.items():
                if made.manifest.files.get(name) != FileSeal(file.size_bytes, file.crc32()):
                    raise BrokenContentError(f"{name} differs from the manifest")
        except (OSError, ValueError) as error:
            raise BrokenContentError(str(error)) from error
        return made
