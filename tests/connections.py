"""What processes are connected to, as the kernel tells it while they work: `/proc/PID/net` and their open sockets."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

__all__ = ["Address", "Watched", "connected_to", "sockets_in"]

_TABLES = ("tcp", "tcp6", "udp", "udp6")
_LISTENING = "0A"
_PAUSE_S = 0.002


@dataclass(frozen=True, order=True)
class Address:
    """An IP address, as text without the mapping of IPv4 into IPv6, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Socket:
    """A line of a table; without `remote` it listens or is not connected."""

    local: Address
    remote: Address | None
    inode: str


class Watched(AbstractContextManager["Watched"]):
    """Looks again and again at processes and their descendants; `seen` is what each one was connected to.

    A connection that is shorter than the time between two looks (some hundredths of a second) can be missed.
    """

    def __init__(self, processes: dict[str, int]) -> None:
        self._processes = processes
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.seen: dict[str, set[Address]] = {name: set() for name in processes}
        self.looks = 0

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.is_set():
            for name, pid in self._processes.items():
                self.seen[name] |= connected_to(pid)
            self.looks += 1
            time.sleep(_PAUSE_S)


def connected_to(pid: int) -> set[Address]:
    """Where the process and its descendants are connected to now; not who is connected to what they serve."""
    # the sockets of the processes first: one that is opened in between is not in the list, but in the next look
    inodes = {inode for each in [pid, *_descendants(pid)] for inode in _inodes(each)}
    own = [socket for table in _TABLES for socket in sockets_in(_text(f"/proc/{pid}/net/{table}"), inodes)]
    served = {socket.local.port for socket in own if socket.remote is None}
    return {socket.remote for socket in own if socket.remote and socket.local.port not in served}


def sockets_in(table: str, inodes: Collection[str]) -> Iterator[Socket]:
    """The sockets of `/proc/PID/net/tcp` and its kind that have one of `inodes`."""
    for line in table.splitlines()[1:]:
        fields = line.split()
        if fields[9] not in inodes:
            continue
        remote = _address(fields[2])
        is_open = fields[3] != _LISTENING and remote.port != 0
        yield Socket(_address(fields[1]), remote if is_open else None, fields[9])


def _address(text: str) -> Address:
    """`0100007F:1F90` is 127.0.0.1:8080: words of four bytes in the order of the machine."""
    host, _, port = text.partition(":")
    words = [bytes.fromhex(host[start : start + 8])[::-1] for start in range(0, len(host), 8)]
    found = ipaddress.ip_address(b"".join(words))
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return Address(str(mapped or found), int(port, 16))


def _descendants(pid: int) -> Iterator[int]:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, _text(str(children)).split()):
            yield child
            yield from _descendants(child)


def _inodes(pid: int) -> Iterator[str]:
    with suppress(OSError):  # it ended meanwhile
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                kind, _, inode = str(link.readlink()).partition(":[")
                if kind == "socket":
                    yield inode.rstrip("]")


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
