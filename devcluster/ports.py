"""Free ports of the loopback interface, reserved so that several clusters on one machine never pick the same.

A port is taken from below the kernel's ephemeral range (an outgoing connection never takes it) and reserved by a file
lock that the kernel releases with the process. Used by the modules here that start servers.
"""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from devcluster.errors import DevClusterError

__all__ = ["PortPool", "candidates"]

_LOWEST, _HIGHEST = 20000, 32000
_PRIME = 7919  # spreads neighbouring process ids over the range


class PortPool:
    """The ports that one cluster has reserved."""

    def __init__(self, locks_dir: Path | None = None) -> None:
        self._dir = locks_dir or Path(tempfile.gettempdir()) / f"devcluster-ports-{os.getuid()}"
        self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._held: dict[int, int] = {}

    def reserve(self) -> int:
        """A port of 127.0.0.1 on which nothing listens and which no other pool has.

        Raises: DevClusterError when every port of the range is taken.
        """
        for port in candidates(os.getpid()):
            if port not in self._held and self._lock(port):
                return port
        raise DevClusterError(f"no free port between {_LOWEST} and {_HIGHEST} on 127.0.0.1")

    def close(self) -> None:
        """Give all ports back."""
        for lock in self._held.values():
            os.close(lock)
        self._held.clear()

    def _lock(self, port: int) -> bool:
        lock = os.open(self._dir / str(port), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        if not _is_free(port):
            os.close(lock)
            return False
        self._held[port] = lock
        return True


def candidates(seed: int) -> Iterator[int]:
    """Every port of the range once, beginning at a place that depends on `seed`."""
    size = _HIGHEST - _LOWEST
    start = seed * _PRIME % size
    return (_LOWEST + (start + step) % size for step in range(size))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # as Go's listener does: a port in TIME_WAIT is free
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
