"""Packages on disk, by catalog digest, so that a restart without catalogd still resolves.

A file holds a header line (what it is, and the SHA-256 of the rest) and the blobs; it is written under a temporary name
and renamed. File names are hashes: nothing that a catalog says becomes a path. The least recently used go first.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import orjson

__all__ = ["PackageStore"]

_FORMAT = 1


class PackageStore:
    """Lines of packages under `directory`, at most `max_bytes` in all."""

    def __init__(self, directory: Path, max_bytes: int = 256 * 1024 * 1024) -> None:
        self._directory = directory
        self._max_bytes = max_bytes

    async def read(self, catalog: str, ref: str, package: str) -> tuple[bytes, ...] | None:
        """The stored lines, or `None` when there are none or the file is damaged (it is removed then)."""
        return await asyncio.to_thread(self._read, _header(catalog, ref, package))

    async def store(self, catalog: str, ref: str, package: str, lines: tuple[bytes, ...]) -> None:
        """Keep `lines`; a full or broken disk is no error, the next restart asks catalogd again."""
        await asyncio.to_thread(self._store, _header(catalog, ref, package), lines)

    def _read(self, header: dict[str, object]) -> tuple[bytes, ...] | None:
        path = self._path(header)
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        first, _, body = data.partition(b"\n")
        if first != _first_line(header, body):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        return tuple(line for line in body.split(b"\n") if line)

    def _store(self, header: dict[str, object], lines: tuple[bytes, ...]) -> None:
        body = b"".join(line + b"\n" for line in lines)
        with contextlib.suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._directory, prefix=".", delete=False) as file:
                file.write(_first_line(header, body) + b"\n" + body)
            os.replace(file.name, self._path(header))
            self._trim()

    def _trim(self) -> None:
        files = sorted(
            ((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(self._directory)),
            reverse=True,
        )
        total = 0
        for _, size, path in files:
            total += size
            if total > self._max_bytes:
                with contextlib.suppress(OSError):
                    os.unlink(path)

    def _path(self, header: dict[str, object]) -> Path:
        digest = hashlib.sha256(orjson.dumps(header, option=orjson.OPT_SORT_KEYS)).hexdigest()
        return self._directory / f"{digest}.jsonl"


def _header(catalog: str, ref: str, package: str) -> dict[str, object]:
    return {"format": _FORMAT, "catalog": catalog, "ref": ref, "package": package}


def _first_line(header: dict[str, object], body: bytes) -> bytes:
    return orjson.dumps({**header, "sha256": hashlib.sha256(body).hexdigest()}, option=orjson.OPT_SORT_KEYS)
