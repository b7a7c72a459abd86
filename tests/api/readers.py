"""Clients that read a catalog all the time, and what stands between them and the replicas of catalogd in a cluster."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from devcluster.components import Component
from devcluster.waiting import wait_for

__all__ = ["Content", "Reader", "Service", "reading"]

_LOOK_EVERY_S = 0.1
_AGAIN_AFTER_S = 0.1
_PATIENCE_S = 60.0
_TIMEOUT_S = 60.0


class Service(AbstractContextManager["Service"]):
    """Forwards each connection to a replica that was ready when it was last asked, as a Service of Kubernetes does."""

    def __init__(self, address: str, replicas: Sequence[Component]) -> None:
        self.address = address
        self.endpoints: tuple[Component, ...] = ()
        self._replicas = replicas
        self._turns = itertools.count()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="service", daemon=True)

    def __enter__(self) -> Service:
        self._thread.start()
        wait_for(lambda: self.endpoints, "a replica to be ready")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join(30)

    def wait_for(self, replica: Component, *, is_ready: bool) -> None:
        """Wait until connections go to the replica, or go there no more."""
        what = f"the Service to {'use' if is_ready else 'drop'} {replica.name}"
        wait_for(lambda: (replica in self.endpoints) is is_ready, what)

    async def _serve(self) -> None:
        host, _, port = self.address.partition(":")
        server = await asyncio.start_server(self._forward, host, int(port))
        while not self._is_over.is_set():
            answers = await asyncio.gather(*(asyncio.to_thread(replica.is_ready) for replica in self._replicas))
            self.endpoints = tuple(
                replica for replica, is_ready in zip(self._replicas, answers, strict=True) if is_ready
            )
            await asyncio.sleep(_LOOK_EVERY_S)
        server.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        endpoints, turn = self.endpoints, next(self._turns)
        if not endpoints:
            writer.transport.abort()
            return
        host, _, port = str(endpoints[turn % len(endpoints)].flags["catalogs-server-addr"]).partition(":")
        try:
            far_reader, far_writer = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        except asyncio.CancelledError:
            writer.transport.abort()
            far_writer.transport.abort()
            raise


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on until either end goes; then both go."""
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()
        return
    writer.transport.abort()


@dataclass(frozen=True, slots=True)
class Content:
    """What readers expect at a path of each content server, whose certificate is of the authority in the file."""

    path: str
    body: bytes
    authority: Path


class Reader:
    """Reads a content again and again, each time over a new connection.

    One that is patient asks again until a request has its whole answer, for a minute; another one never does.
    `failures` are the requests that were lost; `troubles` those that had to be repeated.
    """

    def __init__(self, address: str, content: Content, *, is_patient: bool) -> None:
        self.answers = 0
        self.failures: list[str] = []
        self.troubles: list[str] = []
        self._address = address
        self._content = content
        self._patience_s = _PATIENCE_S if is_patient else 0.0
        self._trust = ssl.create_default_context(cafile=str(content.authority))
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._read()), name="reader", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End after the request that runs."""
        self._is_over.set()
        self._thread.join(_PATIENCE_S + _TIMEOUT_S)
        assert not self._thread.is_alive()

    def wait_for_more(self, count: int) -> None:
        """Wait until `count` more requests were answered."""
        wanted = self.answers + count
        wait_for(lambda: self.answers >= wanted or self.failures, f"{count} more answers", timeout_s=_PATIENCE_S)

    async def _read(self) -> None:
        while not self._is_over.is_set():
            if lost := await self._lost():
                self.failures.append(lost)
            else:
                self.answers += 1

    async def _lost(self) -> str:
        """One request; what was wrong with it in the end."""
        end = time.monotonic() + self._patience_s
        while trouble := await self._trouble():
            if time.monotonic() >= end:
                return trouble
            self.troubles.append(trouble)
            await asyncio.sleep(_AGAIN_AFTER_S)
        return ""

    async def _trouble(self) -> str:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                answer = await self._answer()
        except OSError as problem:
            return repr(problem)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = head.partition(b"\r\n")[0].decode(errors="replace")
        if " 200 " not in status:
            return status or "no answer"
        return "" if body == self._content.body else f"{len(body)} bytes of {len(self._content.body)}, or others"

    async def _answer(self) -> bytes:
        """All that comes back over a new connection."""
        host, _, port = self._address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port), ssl=self._trust)
        try:
            writer.write(f"GET {self._content.path} HTTP/1.0\r\nHost: {self._address}\r\n\r\n".encode())
            return await reader.read()
        finally:
            writer.transport.abort()


@contextmanager
def reading(*readers: Reader) -> Iterator[None]:
    """They read inside the block, each at least once."""
    for reader in readers:
        reader.start()
    try:
        for reader in readers:
            reader.wait_for_more(1)
        yield
    finally:
        for reader in readers:
            reader.stop()
