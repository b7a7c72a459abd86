"""What goes into an archive: files by name, within bounds, and what is missing. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from olm_cli.debugging.redaction import redacted, redacted_text

__all__ = ["FILE_LIMIT", "TOTAL_LIMIT", "Collection"]

FILE_LIMIT = 4 * 1024 * 1024
"""Characters of one file; what is longer is cut, logs at their beginning, everything else at its end."""

TOTAL_LIMIT = 32 * 1024 * 1024
"""Bytes of all files."""

_INDEX = "index.json"
_PART_LIMIT = 100
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


class Collection:
    """Files in the order in which they were added. Everything is redacted on its way in."""

    def __init__(self, heading: Mapping[str, Any]) -> None:
        self._heading = heading
        self._files: dict[str, bytes] = {}
        self._size = 0
        self._missing: list[str] = []

    @property
    def missing(self) -> tuple[str, ...]:
        """What could not be read or was left out, one sentence each."""
        return tuple(self._missing)

    @property
    def files(self) -> Mapping[str, bytes]:
        """Every file by its path, the index first."""
        index = {**self._heading, "files": sorted(self._files), "missing": self._missing}
        text = json.dumps(redacted(index), indent=2, ensure_ascii=False)
        return {_INDEX: f"{text}\n".encode(), **self._files}

    def miss(self, what: str) -> None:
        """Say that something is not there."""
        self._missing.append(redacted_text(what))

    def add_json(self, *path: str, value: Any) -> None:
        """Add a value as JSON."""
        self._add(path, "json", json.dumps(redacted(value), indent=1, ensure_ascii=False) + "\n")

    def add_text(self, *path: str, text: str) -> None:
        """Add a text."""
        self._add(path, "txt", f"{redacted_text(text)}\n")

    def add_log(self, name: str, text: str) -> None:
        """Add a log; of a long one the end is kept, from the beginning of a line on."""
        path = ("logs", name.removesuffix(".log"))
        kept = text if len(text) <= FILE_LIMIT else text[-FILE_LIMIT:].partition("\n")[2]
        if len(kept) < len(text):
            self.miss(f"{'/'.join(path)}: only the last {FILE_LIMIT} characters are kept")
        self._store(path, "log", redacted_text(kept).encode(errors="replace"))

    def _add(self, path: tuple[str, ...], suffix: str, text: str) -> None:
        if len(text) > FILE_LIMIT:
            self.miss(f"{'/'.join(path)}: only the first {FILE_LIMIT} characters are kept")
        self._store(path, suffix, text[:FILE_LIMIT].encode(errors="replace"))

    def _store(self, path: tuple[str, ...], suffix: str, content: bytes) -> None:
        if self._size + len(content) > TOTAL_LIMIT:
            self.miss(f"{'/'.join(path)}: left out, the archive would get larger than {TOTAL_LIMIT} bytes")
            return
        self._size += len(content)
        self._files[self._free_name(path, suffix)] = content

    def _free_name(self, path: tuple[str, ...], suffix: str) -> str:
        """A name that unpacks anywhere, and that no other file has."""
        name = "/".join(_UNSAFE.sub("_", part)[:_PART_LIMIT].lstrip(".") or "_" for part in path)
        number, free = 1, f"{name}.{suffix}"
        while free in self._files or free == _INDEX:
            number += 1
            free = f"{name}~{number}.{suffix}"
        return free
