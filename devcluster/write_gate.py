"""A door in front of the API server that closes after a number of writes: to stop a client between any two of them.

Used by the tests and the soak test that kill a component. One write passes at a time, so what reached the cluster when
the door closes is exactly the first so many; reads, watches, Events and dry-runs always pass.
"""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import threading
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
from aiohttp import web
from yarl import URL

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster

__all__ = ["Write", "WriteGate"]

T = TypeVar("T")
_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_NO_STATE = ("/events", "/leases", "accessreviews", "/token")
_OF_THE_CONNECTION = frozenset({"connection", "content-length", "host", "keep-alive", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class Write:
    """One write that the API server accepted: its method, its path without the query, whether it is a JSON patch."""

    method: str
    path: str
    is_json_patch: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}{' (JSON)' if self.is_json_patch else ''}"


@dataclass(frozen=True, slots=True)
class _Order:
    """Note the writes that mention `about`; close after `left` more of them, or at the first like `last`."""

    about: str
    left: int | None = None
    last: str = ""

    def concerns(self, write: Write, body: bytes) -> bool:
        """Whether the text is in the path or in the content; no text is in nothing."""
        return bool(self.about) and (self.about in write.path or self.about.encode() in body)

    def after(self, write: Write) -> _Order:
        """What is left of the order when this write has come through."""
        if self.last and re.fullmatch(self.last, str(write)):
            return replace(self, left=0)
        return self if self.left is None else replace(self, left=max(0, self.left - 1))


class WriteGate:
    """A running gate of one cluster; `stop` ends it. Its methods may be called from any thread."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._port = cluster.workspace.ports.reserve()
        self._seen: list[Write] = []
        self._order = _Order("")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="write-gate", daemon=True)
        self._thread.start()
        self._server: _Server = self._call(_Server.start(self, cluster, self._port))

    @property
    def seen(self) -> tuple[Write, ...]:
        """The writes of this order that reached the cluster, oldest first."""
        return tuple(self._seen)

    @property
    def is_closed(self) -> bool:
        """Whether the last write of the order has reached the cluster, so that no other can."""
        return self._order.left == 0

    def watch_for(self, about: str, *, close_after: int | None = None, close_at: str = "") -> None:
        """From now on note the writes whose path or content has the text `about`, and close after some of them.

        `close_after` so many, or `close_at` the first whose method and path the regular expression describes.
        """

        async def begin() -> None:
            self._seen.clear()
            self._order = _Order(about, close_after, close_at)
            await self._server.reopen()

        self._call(begin())

    def open(self) -> None:
        """Let everything pass; who has gone away meanwhile stays unheard."""
        self.watch_for("")

    def kubeconfig_for(self, account: str) -> Path:
        """A kubeconfig of a ServiceAccount of the system namespace whose requests go through this gate."""
        document = json.loads(self._cluster.kubeconfig_for(SYSTEM_NAMESPACE, account).read_text())
        document["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{self._port}"
        return self._cluster.workspace.write(f"accounts/gated.{account}.kubeconfig", json.dumps(document).encode())

    def stop(self) -> None:
        """End the server and its thread."""
        self._call(self._server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def passes(self, write: Write, body: bytes) -> bool:
        """Whether the write may go on now."""
        return not (self.is_closed and self._order.concerns(write, body))

    def note(self, write: Write, body: bytes) -> None:
        """A write reached the cluster."""
        if self._order.concerns(write, body):
            self._seen.append(write)
            self._order = self._order.after(write)

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


class _Server:
    """The HTTPS server of a gate; lives in its event loop."""

    def __init__(self, gate: WriteGate, upstream: str, session: aiohttp.ClientSession) -> None:
        self._gate = gate
        self._upstream = upstream
        self._session = session
        self._turn = asyncio.Condition()
        self._runner = web.ServerRunner(web.Server(self._handle, handler_cancellation=True), shutdown_timeout=0.1)

    @classmethod
    async def start(cls, gate: WriteGate, cluster: Cluster, port: int) -> _Server:
        trust = ssl.create_default_context(cafile=str(cluster.workspace.authority_file))
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=trust, limit=0),
            timeout=aiohttp.ClientTimeout(total=None),
            auto_decompress=False,
        )
        upstream = json.loads(cluster.kubeconfig.read_text())["clusters"][0]["cluster"]["server"]
        made = cls(gate, upstream, session)
        await made._runner.setup()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*cluster.workspace.serving_pair("write-gate"))
        await web.TCPSite(made._runner, "127.0.0.1", port, ssl_context=context).start()
        return made

    async def reopen(self) -> None:
        """Let those who wait ask again."""
        async with self._turn:
            self._turn.notify_all()

    async def stop(self) -> None:
        await self._runner.cleanup()
        await self._session.close()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = b"".join([block async for block in request.content.iter_any()])
        if not _changes_state(request, body):
            return await self._pass_on(request, body)
        write = Write(request.method, request.path, request.content_type == "application/json-patch+json")
        async with self._turn:
            await self._turn.wait_for(lambda: self._gate.passes(write, body))
            if request.transport is None or request.transport.is_closing():
                raise asyncio.CancelledError  # who asked was killed meanwhile
            async with self._ask(request, body) as answer:
                content = await answer.read()
                if answer.status < 300:
                    self._gate.note(write, body)
        return web.Response(status=answer.status, body=content, headers=_kept(answer.headers))

    async def _pass_on(self, request: web.BaseRequest, body: bytes) -> web.StreamResponse:
        async with self._ask(request, body) as answer:
            response = web.StreamResponse(status=answer.status, headers=_kept(answer.headers))
            await response.prepare(request)
            async for block in answer.content.iter_any():
                await response.write(block)
            await response.write_eof()
        return response

    def _ask(self, request: web.BaseRequest, body: bytes) -> aiohttp.client._RequestContextManager:
        url = URL(self._upstream + request.raw_path, encoded=True)
        return self._session.request(request.method, url, headers=_kept(request.headers), data=body or None)


def _changes_state(request: web.BaseRequest, body: bytes) -> bool:
    if request.method not in _METHODS or any(part in request.path for part in _NO_STATE):
        return False
    return "dryRun" not in request.query and not (request.method == "DELETE" and b'"dryRun"' in body)


def _kept(headers: Any) -> Any:
    return [(name, value) for name, value in headers.items() if name.lower() not in _OF_THE_CONNECTION]
