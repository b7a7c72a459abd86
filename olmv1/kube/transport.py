"""One HTTP request to the API server: credentials, deadlines, retries, typed errors, metrics.

Only `olmv1.kube.client` calls it. This is the one place where a Kubernetes request is tried again; everything longer
than its few seconds is the work queue's.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from prometheus_client import CollectorRegistry
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential
from yarl import URL

from olmv1.connections import reason_of
from olmv1.kube.configuration import Access
from olmv1.kube.errors import ApiError, NotLeading, ServerError, TooManyRequests, Unreachable, error_of
from olmv1.kube.metrics import ClientMetrics
from olmv1.telemetry.logs import get_logger

__all__ = ["Answer", "Request", "Transport"]

# Longer than any single answer of a healthy API server, shorter than a lease: 60 s is the server's own limit.
_ANSWER_S = 30.0
_CONNECT_S = 5.0
# Nothing that is read from the API server is larger than a catalog behind its service proxy.
_LIMIT_BYTES = 1 << 30
# All tries of one request together. A longer Retry-After is left to the caller, whose queue can wait for it.
_RETRY_S = 15.0

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the API; `is_idempotent` says whether it may be sent twice when no answer came.

    `is_allowed` is asked before every try; when it says no, nothing is sent.
    """

    method: str
    path: str
    query: Mapping[str, str] | Sequence[tuple[str, str]] = ()
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_idempotent: bool = True
    answer_s: float = _ANSWER_S
    limit_bytes: int = _LIMIT_BYTES
    is_allowed: Callable[[], bool] | None = None

    def __str__(self) -> str:
        """`GET /api/v1/pods`, as messages name it."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a 2xx status, or 304 to a conditional request."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _NotSent(Unreachable):
    """No connection was made, so no request can have been carried out."""


class Transport:
    """The connections of one process to one API server; every identity shares them.

    `patience_s`: for how long a server that cannot be reached is tried again.
    """

    def __init__(
        self, access: Access, user_agent: str, registry: CollectorRegistry | None, patience_s: float = _RETRY_S
    ) -> None:
        self._access = access
        self._patience_s = patience_s
        self._metrics = ClientMetrics(registry or CollectorRegistry(), access.url.authority)
        self._session = aiohttp.ClientSession(
            # Every watch holds a connection for minutes, so their number is bounded by the callers, not here.
            connector=aiohttp.TCPConnector(
                limit=0, ssl=access.ssl, keepalive_timeout=60, socket_factory=_kept_alive_socket
            ),
            # Compressed answers cost both sides more CPU than the network inside a cluster is worth.
            headers={"User-Agent": user_agent, "Accept-Encoding": "identity"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def send(self, request: Request) -> Answer:
        """The answer, after as many tries as the request allows.

        Raises:
            ApiError: the server refused, or no answer came in time.
            NotLeading: the request is not allowed (any more); also between two tries.
        """
        async for attempt in AsyncRetrying(
            stop=self._is_enough,
            wait=_wait,
            retry=retry_if_exception(lambda problem: _is_worth_another_try(problem, request)),
            reraise=True,
        ):
            with attempt:
                async with self.open(request) as answer:
                    return Answer(answer.status, answer.headers, await _read(answer, request))
        raise AssertionError("tenacity ends with a value or an error")

    def _is_enough(self, state: RetryCallState) -> bool:
        problem = state.outcome.exception() if state.outcome else None
        seconds = self._patience_s if isinstance(problem, Unreachable) else _RETRY_S
        return (state.seconds_since_start or 0.0) >= seconds

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[aiohttp.ClientResponse]:
        """The answer itself, unread, for a single try; foreign errors inside the block become `Unreachable`.

        Raises:
            ApiError: the server refused, or the connection broke.
            NotLeading: the request is not allowed, and was not sent.
        """
        code = "<error>"
        try:
            credentials = await self._access.headers()
            # Last of all: a process that was stopped for a while goes on in the middle of anything.
            if request.is_allowed is not None and not request.is_allowed():
                raise NotLeading(f"{request}: not sent, this replica is not the leader")
            async with self._session.request(
                request.method,
                self._url(request),
                data=request.body,
                headers={**credentials, **request.headers},
                timeout=aiohttp.ClientTimeout(total=request.answer_s, sock_connect=_CONNECT_S),
                proxy=self._access.proxy,
                server_hostname=self._access.server_hostname,
                allow_redirects=False,
            ) as answer:
                code = str(answer.status)
                _log_warnings(request, answer)
                if not 200 <= answer.status < 300 and answer.status != 304:
                    seconds = _retry_after_s(answer)
                    raise error_of(answer.status, await answer.read(), request=str(request), retry_after_s=seconds)
                try:
                    yield answer
                finally:
                    _drop_unless_read(answer)
        except aiohttp.ClientConnectorError as problem:
            raise _NotSent(f"{request}: {_phrase(problem)}", details=self._details()) from problem
        except (aiohttp.ClientError, TimeoutError, OSError) as problem:
            raise Unreachable(f"{request}: {_phrase(problem)}", details=self._details()) from problem
        finally:
            self._metrics.count(request.method, code)

    async def close(self) -> None:
        """Close every connection; requests under way fail."""
        await self._session.close()
        await asyncio.sleep(0)  # dropped connections close in the next turn of the loop

    def _details(self) -> Mapping[str, str]:
        return {"address": str(self._access.url)}

    def _url(self, request: Request) -> URL:
        url = self._access.url
        target = URL.build(
            scheme=url.scheme, authority=url.authority, path=url.path.rstrip("/") + request.path, encoded=True
        )
        return target.with_query(request.query) if request.query else target


async def _read(answer: aiohttp.ClientResponse, request: Request) -> bytes:
    chunks, size = [], 0
    async for chunk in answer.content.iter_any():
        size += len(chunk)
        if size > request.limit_bytes:
            raise ApiError(f"{request}: expected at most {request.limit_bytes} bytes, found more", status=answer.status)
        chunks.append(chunk)
    return b"".join(chunks)


def _kept_alive_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    """A socket that notices a dead peer in a minute: a watch of a quiet kind reads nothing for longer than that."""
    family, kind, protocol, _, _ = address
    connection = socket.socket(family, kind, protocol)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), seconds)
    return connection


def _drop_unless_read(answer: aiohttp.ClientResponse) -> None:
    """End the connection of a stream that is left in the middle; TLS would wait half a minute for a polite goodbye."""
    if answer.connection is not None and answer.connection.transport is not None:
        answer.connection.transport.abort()


def _is_worth_another_try(problem: BaseException, request: Request) -> bool:
    if not isinstance(problem, ApiError) or (problem.retry_after_s or 0.0) > _RETRY_S / 2:
        return False
    if isinstance(problem, _NotSent | TooManyRequests):
        return True
    if isinstance(problem, Unreachable):
        return request.is_idempotent
    is_asked_to = problem.retry_after_s is not None or problem.status == 503
    return isinstance(problem, ServerError) and is_asked_to and request.is_idempotent


_backoff = wait_random_exponential(multiplier=0.2, max=4)


def _wait(state: RetryCallState) -> float:
    problem = state.outcome.exception() if state.outcome else None
    wanted = problem.retry_after_s if isinstance(problem, ApiError) else None
    return _backoff(state) if wanted is None else wanted


def _retry_after_s(answer: aiohttp.ClientResponse) -> float | None:
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isdigit() else None


def _log_warnings(request: Request, answer: aiohttp.ClientResponse) -> None:
    for text in answer.headers.getall("Warning", ()):
        log.debug("api server warning", request=str(request), warning=text)


def _phrase(problem: BaseException) -> str:
    """Why no answer came, in words that stay the same from try to try: no addresses, no ports."""
    if isinstance(problem, TimeoutError):
        return "the Kubernetes API did not answer in time"
    if isinstance(problem, aiohttp.ClientConnectorCertificateError):
        return f"the certificate of the Kubernetes API is not trusted: {_certificate_phrase(problem.certificate_error)}"
    if isinstance(problem, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError):
        return "the Kubernetes API closed the connection"
    if isinstance(problem, aiohttp.ClientConnectorDNSError | aiohttp.ClientConnectorSSLError):
        return f"the Kubernetes API is not reachable: {reason_of(problem)}"
    number = getattr(problem, "errno", None)
    if isinstance(number, int) and number in errno.errorcode:
        return f"the Kubernetes API is not reachable: {os.strerror(number).lower()}"
    return f"the Kubernetes API is not reachable: {type(problem).__name__}"


def _certificate_phrase(problem: Exception) -> str:
    return problem.verify_message if isinstance(problem, ssl.SSLCertVerificationError) else "not valid"
