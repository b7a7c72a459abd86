"""The content server: sockets, dispatch, limits, metrics, access log."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from catalogd import query
from catalogd.server.answers import Answer, answer_of, send
from catalogd.server.bodies import Body
from catalogd.server.metrics import ServerMetrics
from catalogd.server.names import problem_of_name
from catalogd.server.ports import Catalogs, Contents, Presence
from catalogd.server.problems import RETRY_AFTER_S, problem, redirect
from catalogd.server.routes import Endpoint, NoRoute, Redirect, Route, route_of
from catalogd.store import Snapshot
from olmv1.errors import RetryableError
from olmv1.settings import BindAddress
from olmv1.telemetry.logs import get_logger

__all__ = ["ContentServer", "Limits"]

_log = get_logger(__name__)
_CUT_STATUS = 499
"""What is counted for an answer that was cut, whatever its first line said."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`idle_s`: a connection without a complete request is closed; `write_s`: an answer must be sent by then;
    `shutdown_s`: running answers may go on; `downloads`: answers above `large_bytes` sent at the same time."""

    idle_s: float = 75.0
    write_s: float = 300.0
    shutdown_s: float = 3.0
    downloads: int = 256
    large_bytes: int = 1 << 20


class _CutError(Exception):
    """The answer was not sent to its end; the client, if there is one, sees the connection break."""

    def __init__(self, response: web.StreamResponse) -> None:
        super().__init__("answer cut")
        self.response = response


class ContentServer:
    """Answers requests from the snapshots of a store; holds no content itself."""

    def __init__(
        self,
        contents: Contents,
        catalogs: Catalogs,
        endpoints: frozenset[Endpoint],
        metrics: ServerMetrics,
        limits: Limits,
    ) -> None:
        self._contents, self._catalogs = contents, catalogs
        self._endpoints = endpoints
        self._metrics = metrics
        self._limits = limits
        self._downloads = 0
        self.is_listening = False

    async def run(self, address: BindAddress, tls: ssl.SSLContext | None) -> None:
        """Serve until cancelled.

        Raises:
            RetryableError: the address cannot be bound.
        """
        async with self.listening(address, tls):
            await asyncio.Event().wait()

    @asynccontextmanager
    async def listening(self, address: BindAddress, tls: ssl.SSLContext | None) -> AsyncIterator[BindAddress]:
        """Serve inside the block, on the address that is yielded; at its end running answers may finish.

        Raises:
            RetryableError: the address cannot be bound.
        """
        server = web.Server(self.handle, keepalive_timeout=self._limits.idle_s, access_log=None)
        runner = web.ServerRunner(server, shutdown_timeout=self._limits.shutdown_s)
        await runner.setup()
        try:
            site = web.TCPSite(runner, address.host, address.port, ssl_context=tls, backlog=1024)
            try:
                await site.start()
            except OSError as error:
                raise RetryableError(f"error creating catalog server listener: {error.strerror or error}") from error
            bound = runner.addresses[0]
            self.is_listening = True
            _log.info("catalog server listening", address=f"{bound[0]}:{bound[1]}", tls=tls is not None)
            yield BindAddress(address.host, int(bound[1]))
        finally:
            self.is_listening = False
            await runner.cleanup()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """The answer to one request, counted and logged."""
        started = time.monotonic()
        # As it was sent: a decoded or repaired path would hide what is malformed.
        target = request.raw_path if request.raw_path.startswith("/") else request.rel_url.raw_path_qs
        raw_path, _, query_string = target.partition("?")
        route = route_of(raw_path, self._endpoints)
        path = f"/catalogs/{{catalog}}/api/v1/{route.endpoint}" if isinstance(route, Route) else "other"
        with self._metrics.in_flight.track_inprogress():
            try:
                response = await self._dispatch(request, route, query_string)
                status = response.status
            except _CutError as cut:
                response, status = cut.response, _CUT_STATUS
        duration_s, size_bytes = time.monotonic() - started, _size_bytes(request, response)
        self._metrics.observe(path, request.method, status, duration_s, size_bytes)
        _log.debug(
            "handled request",
            host=request.remote,
            method=request.method,
            uri=request.raw_path,
            status=status,
            size_bytes=size_bytes,
            duration_s=duration_s,
        )
        return response

    async def _dispatch(
        self, request: web.BaseRequest, route: Route | Redirect | NoRoute, query_string: str
    ) -> web.StreamResponse:
        if isinstance(route, NoRoute):
            return problem(request, 404, "404 page not found")
        if isinstance(route, Redirect):
            return redirect(route.path, query_string)
        if request.method not in ("GET", "HEAD"):
            return problem(request, 405, "Method Not Allowed", headers={"Allow": "GET, HEAD"})
        if why := problem_of_name(route.name):
            return problem(request, 400, f"invalid catalog name: {why}")
        wanted = query.MetasQuery()
        if route.endpoint is Endpoint.METAS:
            try:
                wanted = query.parse(query_string)
            except query.QueryError as error:
                return problem(request, 400, detail=str(error))
        snapshot = self._snapshot(request, route.name)
        if isinstance(snapshot, web.Response):
            return snapshot
        selected = None if wanted.is_whole else Body(snapshot.data, tuple(query.select(snapshot.index, wanted)))
        answer = answer_of(request, snapshot, selected)
        return answer if isinstance(answer, web.Response) else await self._send(request, answer)

    def _snapshot(self, request: web.BaseRequest, name: str) -> Snapshot | web.Response:
        presence = self._catalogs.presence(name)
        if presence in (Presence.ABSENT, Presence.UNAVAILABLE):
            return problem(request, 404, detail=f'catalog "{name}" does not exist or is set to Unavailable')
        snapshot = self._contents.snapshot(name)
        if snapshot is None:
            return _busy(request, f'content of catalog "{name}" is not unpacked on this replica yet')
        return snapshot

    async def _send(self, request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
        is_large = answer.body.length > self._limits.large_bytes and request.method == "GET"
        if is_large and self._downloads >= self._limits.downloads:
            return _busy(request, f"{self._limits.downloads} downloads are running, which is the limit")
        self._downloads += is_large
        response = answer.response()
        try:
            async with asyncio.timeout(self._limits.write_s):
                await send(request, response, answer)
        except ConnectionError as error:
            raise _CutError(response) from error
        except (TimeoutError, EOFError) as error:
            _log.warning("answer cut", uri=request.raw_path, error=str(error) or "the client reads too slowly")
            if request.transport is not None:
                request.transport.abort()
            raise _CutError(response) from error
        finally:
            self._downloads -= is_large
        return response


def _busy(request: web.BaseRequest, detail: str) -> web.Response:
    return problem(request, 503, detail=detail, headers={"Retry-After": str(RETRY_AFTER_S)})


def _size_bytes(request: web.BaseRequest, response: web.StreamResponse) -> int:
    """The size of the body; of a chunked one with the few bytes of framing and headers."""
    if request.method == "HEAD" or response.status == 304:
        return 0
    known = response.content_length
    return known if known is not None else response.body_length
