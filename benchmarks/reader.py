"""Reading one large answer over HTTPS again and again, as fast as a client in Python can: blocking, into one buffer."""

from __future__ import annotations

import http.client
import ssl
import urllib.parse
from pathlib import Path

from benchmarks.case import MeasuringError

__all__ = ["Reader"]

_BUFFER_BYTES = 1 << 20


class Reader:
    """A connection that is kept."""

    def __init__(self, authority: Path, url: str, encoding: str = "identity") -> None:
        parts = urllib.parse.urlsplit(url)
        context = ssl.create_default_context(cafile=str(authority))
        self._connection = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=60, context=context)
        self._path, self._encoding = parts.path, encoding
        self._buffer = memoryview(bytearray(_BUFFER_BYTES))

    def read(self) -> int:
        """Ask for the URL, read the answer to its end; the bytes of its body."""
        self._connection.request("GET", self._path, headers={"Accept-Encoding": self._encoding})
        answer = self._connection.getresponse()
        if answer.status != 200 or answer.headers.get("Content-Encoding", "identity") != self._encoding:
            raise MeasuringError(f"{self._path}: status {answer.status}, {answer.headers.get('Content-Encoding')}")
        total = 0
        while count := answer.readinto(self._buffer):
            total += count
        return total
