"""Writing one content: plain, gzip and zstd side by side in one pass, then the index, then the manifest.

Runs in a worker thread. Nobody else sees the directory before the store gives it its final name.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from isal import isal_zlib

from catalogd.store.layout import DATA_FILE, GZIP_FILE, INDEX_FILE, MANIFEST_FILE, ZSTD_FILE, sync_folder
from catalogd.store.manifest import ContentManifest, FileSeal

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["Checkpoint", "ContentWriter", "Counts", "Origin"]

Checkpoint = Callable[[str], None]
"""Called with the name of the step that comes next; tests end the process there."""

_GZIP_LEVEL = 1
_GZIP_WINDOW = 31  # zlib's notation for a gzip header and the largest window
_ZSTD_LEVEL = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """What a content is made from and when; see `ContentManifest` for the fields."""

    catalog: str
    ref: str
    source_ref: str
    unpacked_at_s: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What a catalog holds, for its metrics and for the check that it holds anything."""

    packages: int = 0
    bundles: int = 0
    blobs: int = 0


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class _SealedFile:
    """A file that knows the checksum of what was written to it."""

    def __init__(self, file: BinaryIO, compressor: _Compressor | None = None) -> None:
        self._file, self._compressor = file, compressor
        self._size, self._crc = 0, 0

    def write(self, data: bytes) -> None:
        self._put(self._compressor.compress(data) if self._compressor else data)

    def seal(self) -> FileSeal:
        if self._compressor:
            self._put(self._compressor.flush())
        self._file.flush()
        os.fsync(self._file.fileno())
        return FileSeal(self._size, self._crc)

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._size += len(data)
        self._crc = isal_zlib.crc32(data, self._crc)


class ContentWriter:
    """Takes the lines of a catalog in their final order; use it as a context manager."""

    def __init__(self, folder: Path, checkpoint: Checkpoint) -> None:
        self.folder = folder
        self.size_bytes = 0
        self._checkpoint = checkpoint
        self._hash = hashlib.sha256()
        self._open = ExitStack()
        gzip = isal_zlib.compressobj(_GZIP_LEVEL, isal_zlib.DEFLATED, _GZIP_WINDOW)
        self._files = {
            DATA_FILE: self._create(DATA_FILE),
            GZIP_FILE: self._create(GZIP_FILE, gzip),
            ZSTD_FILE: self._create(ZSTD_FILE, zstd.ZstdCompressor(_ZSTD_LEVEL)),
        }

    def __enter__(self) -> ContentWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def write(self, lines: bytes) -> None:
        """Append a piece of the content; pieces need not end where lines do."""
        self._hash.update(lines)
        self.size_bytes += len(lines)
        for file in self._files.values():
            file.write(lines)

    def finish(self, origin: Origin, index: bytes, counts: Counts, before: ContentManifest | None) -> ContentManifest:
        """The manifest of the content, which is complete and on the disk now.

        `before`: what was served until now; equal content keeps the time of its last change.
        """
        self._checkpoint("seal files")
        seals = {name: file.seal() for name, file in self._files.items()}
        self._checkpoint("write index")
        seals[INDEX_FILE] = self._write_small(INDEX_FILE, index)
        digest = self._hash.hexdigest()
        is_same = before is not None and before.content_digest == digest
        manifest = ContentManifest(
            catalog=origin.catalog,
            ref=origin.ref,
            source_ref=origin.source_ref,
            content_digest=digest,
            unpacked_at_s=origin.unpacked_at_s,
            changed_at_s=before.changed_at_s if before and is_same else origin.unpacked_at_s,
            packages=counts.packages,
            bundles=counts.bundles,
            blobs=counts.blobs,
            files=seals,
        )
        # The manifest makes the directory content, so everything that it describes is on the disk before it.
        self._checkpoint("write manifest")
        self._write_small(MANIFEST_FILE, manifest.to_bytes())
        sync_folder(self.folder)
        return manifest

    def _write_small(self, name: str, data: bytes) -> FileSeal:
        file = self._create(name)
        file.write(data)
        return file.seal()

    def _create(self, name: str, compressor: _Compressor | None = None) -> _SealedFile:
        file = self._open.enter_context((self.folder / name).open("xb"))
        return _SealedFile(file, compressor)
