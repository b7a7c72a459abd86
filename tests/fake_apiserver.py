"""A local HTTP server that answers as scripted, for what a healthy API server never does: storms, cuts, refusals.

Only for faults. Whatever claims how Kubernetes behaves is tested against a real API server in `tests/api`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from aiohttp import web

__all__ = [
    "FakeApiServer",
    "Reply",
    "Seen",
    "Silence",
    "Stream",
    "fake_apiserver",
    "gone",
    "status_of",
    "write_kubeconfig",
]


@dataclass(frozen=True)
class Reply:
    """A whole answer."""

    body: Mapping[str, Any] | bytes = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stream:
    """The lines of a watch, and what follows: a clean end, a cut connection, or nothing for ever."""

    events: tuple[Mapping[str, Any], ...] = ()
    ending: Literal["end", "cut", "hold"] = "end"


@dataclass(frozen=True)
class Silence:
    """No answer: the connection is dropped, or held open without a word."""

    ending: Literal["cut", "hold"] = "cut"


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


Act = Reply | Stream | Silence


class FakeApiServer:
    """Answers one request after the other with the acts of `script`, and every further one with `afterwards`."""

    def __init__(self, kubeconfig: Path) -> None:
        self.kubeconfig = str(kubeconfig)
        self.script: deque[Act] = deque()
        self.afterwards: Act = Silence("hold")
        self.requests: list[Seen] = []
        self._end = asyncio.Event()

    def play(self, *acts: Act, afterwards: Act | None = None) -> None:
        """Set what the next requests are answered."""
        self.script.extend(acts)
        self.afterwards = afterwards or self.afterwards

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        body = await request.read()
        self.requests.append(Seen(request.method, request.path, dict(request.query), dict(request.headers), body))
        match self.script.popleft() if self.script else self.afterwards:
            case Reply(body=content, status=status, headers=headers):
                text = content if isinstance(content, bytes) else json.dumps(content).encode()
                return web.Response(body=text, status=status, headers=headers, content_type="application/json")
            case Silence(ending=ending):
                if ending == "hold":
                    await self._end.wait()
                _cut(request)
                return web.Response()
            case Stream() as stream:
                return await self._play_stream(request, stream)

    async def _play_stream(self, request: web.Request, stream: Stream) -> web.StreamResponse:
        response = web.StreamResponse()
        response.enable_chunked_encoding()
        await response.prepare(request)
        for event in stream.events:
            await response.write(json.dumps(event).encode() + b"\n")
        if stream.ending == "hold":
            await self._end.wait()
        if stream.ending != "end":
            _cut(request)
        return response

    def let_go(self) -> None:
        """End every request that is held."""
        self._end.set()


def _cut(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def status_of(code: int, reason: str, message: str) -> Mapping[str, Any]:
    """A Status object that says no."""
    return {"kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message}


def gone() -> Mapping[str, Any]:
    """The ERROR event of a watch whose version is too old."""
    return {"type": "ERROR", "object": status_of(410, "Expired", "too old resource version: 1 (2)")}


def write_kubeconfig(path: Path, server: str, user: Mapping[str, Any] | None = None) -> None:
    """A kubeconfig for one server; `user` holds its credentials, by default a token."""
    config = {
        "current-context": "fake",
        "clusters": [{"name": "fake", "cluster": {"server": server}}],
        "contexts": [{"name": "fake", "context": {"cluster": "fake", "user": "fake"}}],
        "users": [{"name": "fake", "user": user or {"token": "secret-token"}}],
    }
    path.write_text(json.dumps(config))


@contextlib.asynccontextmanager
async def fake_apiserver(folder: Path) -> AsyncIterator[FakeApiServer]:
    """A server on a free port and its kubeconfig in `folder`."""
    path = folder / "kubeconfig"
    fake = FakeApiServer(path)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", fake.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    write_kubeconfig(path, f"http://127.0.0.1:{port}")
    try:
        yield fake
    finally:
        fake.let_go()
        await runner.cleanup()
