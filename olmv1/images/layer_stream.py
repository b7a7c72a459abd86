"""A layer's bytes on their way through a worker thread: verified against the digest, decompressed, counted.

Pure but for blocking: it reads through a function and never opens anything. The compression is found by looking at the
first bytes, because media types in the wild are not reliable.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping
from typing import Protocol

from isal import igzip
from isal.igzip_lib import IsalError

from olmv1.images.failures import RegistryError
from olmv1.images.image_manifests import Descriptor
from olmv1.images.limits import Budget, LayerError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["LayerStream", "VerifiedBlob"]

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
_REFUSED = {b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x04\x22\x4d\x18": "lz4"}
_MAGIC_BYTES = 6
_BUFFER_BYTES = 256 * 1024
# 128 MiB is what the strongest levels of the zstd command use; a hostile frame may ask for gigabytes.
_ZSTD_OPTIONS: Mapping[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
# What the three libraries raise for damaged data (BadGzipFile is an OSError). The stub of isal declares its class as
# an instance.
_DAMAGED: tuple[type[Exception], ...] = (IsalError, zstd.ZstdError, EOFError, OSError)  # type: ignore[assignment]


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, empty at the end."""


class VerifiedBlob(io.RawIOBase):
    """The bytes of `descriptor` as a file that is read once; hashed on the way, checked by `verify`."""

    def __init__(self, read: Callable[[], bytes], descriptor: Descriptor) -> None:
        super().__init__()
        self._read = read
        self._descriptor = descriptor
        self._hasher = descriptor.digest.hasher()
        self._pending = memoryview(b"")
        self.consumed = 0

    def readable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill `buffer` as far as the next chunk goes; 0 at the end."""
        if not self._pending:
            self._pending = memoryview(self._next())
        size = min(len(buffer), len(self._pending))
        buffer[:size] = self._pending[:size]
        self._pending = self._pending[size:]
        return size

    def head(self, size: int) -> bytes:
        """The first `size` bytes (fewer at the end), which stay to be read."""
        while len(self._pending) < size and (chunk := self._next()):
            self._pending = memoryview(bytes(self._pending) + chunk)
        return bytes(self._pending[:size])

    def verify(self) -> None:
        """Read the rest and compare the digest of everything.

        Raises:
            RegistryError: the content is not what the manifest names; it may have been damaged on the way.
        """
        self._pending = memoryview(b"")
        while self._next():
            pass
        found = self._hasher.hexdigest()
        if found != self._descriptor.digest.hex:
            digest = self._descriptor.digest
            raise RegistryError(f"blob {digest}: the registry sent other content ({digest.algorithm}:{found})")

    def _next(self) -> bytes:
        chunk = self._read()
        self._hasher.update(chunk)
        self.consumed += len(chunk)
        return chunk


class LayerStream:
    """The archive inside a blob: plain, gzip or zstd, every byte counted against `budget`."""

    def __init__(self, blob: VerifiedBlob, budget: Budget) -> None:
        self._blob = blob
        self._budget = budget
        self._archive = _decompressed(blob)
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, fewer only at the end.

        Raises:
            LayerError: the data is damaged or more than allowed.
        """
        try:
            data = self._archive.read(size)
        except _DAMAGED as error:
            raise LayerError(f"the compressed data is damaged: {error}") from error
        self._unpacked += len(data)
        self._budget.count_unpacked(len(data), layer_unpacked=self._unpacked, layer_packed=self._blob.consumed)
        return data


def _decompressed(blob: VerifiedBlob) -> _Readable:
    magic = blob.head(_MAGIC_BYTES)
    buffered = io.BufferedReader(blob, _BUFFER_BYTES)
    if magic.startswith(_GZIP):
        archive: _Readable = igzip.IGzipFile(fileobj=buffered, mode="rb")  # type: ignore[no-untyped-call]
        return archive
    if magic.startswith(_ZSTD) or (magic[1:4] == _ZSTD_SKIPPABLE and magic[0] & 0xF0 == 0x50):
        return io.BufferedReader(zstd.ZstdFile(buffered, options=_ZSTD_OPTIONS), _BUFFER_BYTES)
    for sign, name in _REFUSED.items():
        if magic.startswith(sign):
            raise LayerError(f"compression {name} is not supported")
    return buffered
