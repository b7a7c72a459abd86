"""Downloads one package of a catalog from catalogd over HTTP. Rule: catalogd-http.md 12.2 and 14 rows 15 and 18."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote

import aiohttp
import msgspec
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential
from yarl import URL

from olmv1.connections import reason_of
from olmv1.errors import RetryableError

__all__ = ["CatalogClient", "PackageLines"]

MAX_BODY_BYTES = 512 * 1024 * 1024
"""More than any catalog holds: a server that sends more is not a catalogd."""

_TRIES = 3
_TIMEOUT = aiohttp.ClientTimeout(total=None, connect=10, sock_read=20)
_PACKAGE_S = 60.0
"""For one package, with everything that is tried again."""
_WHOLE_CATALOG_S = 300.0


class _TransportError(RetryableError):
    """The request did not get through; it is tried again at once a few times."""


class _NoMetasError(Exception):
    """The server has no metas endpoint: the whole catalog must be read."""


@dataclass(frozen=True, slots=True)
class PackageLines:
    """The blobs of one package, one JSON document a line, and the strong ETag of the catalog they came from."""

    lines: tuple[bytes, ...]
    etag: str


class _Meta(msgspec.Struct):
    """What a line must be looked at for to know its package."""

    schema: str = ""
    package: str = ""
    name: str = ""


_META = msgspec.json.Decoder(_Meta)


class CatalogClient:
    """Reads packages from catalogd; one connection pool for all catalogs.

    `trust` gives the context that verifies the server (system roots and `--catalogd-cas-dir`), anew for each request,
    so that its owner can replace it.
    """

    def __init__(self, trust: Callable[[], ssl.SSLContext], user_agent: str) -> None:
        self._trust = trust
        self._user_agent = user_agent
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, base_url: str, package: str) -> PackageLines:
        """The blobs of `package` in the catalog served at `base_url` (`status.urls.base`); no lines when it has none.

        Raises:
            RetryableError: the catalog could not be read, with what was answered.
        """
        try:
            async with _within(_PACKAGE_S):
                return await self._from_metas(base_url, package)
        except _NoMetasError:
            async with _within(_WHOLE_CATALOG_S):
                return await self._from_all(base_url, package)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def _from_metas(self, base_url: str, package: str) -> PackageLines:
        """Two requests; repeated when the catalog changed between them."""
        url = f"{base_url}/api/v1/metas"
        for _ in range(_TRIES):
            head, first = await self._get(url, {"schema": "olm.package", "name": package})
            body, second = await self._get(url, {"package": package})
            if first == second:
                return PackageLines((*_split(head), *_split(body)), first)
        raise RetryableError("error performing request: the catalog changed while it was read")

    async def _from_all(self, base_url: str, package: str) -> PackageLines:
        body, etag = await self._get(f"{base_url}/api/v1/all", {})
        try:
            return PackageLines(await asyncio.to_thread(_lines_of, body, package), etag)
        except msgspec.DecodeError as error:
            raise RetryableError(f"error: catalog answered a line that is no blob: {error}") from error

    async def _get(self, url: str, query: Mapping[str, str]) -> tuple[bytes, str]:
        attempts = AsyncRetrying(
            stop=stop_after_attempt(_TRIES),
            wait=wait_random_exponential(multiplier=0.1, max=2),
            retry=retry_if_exception_type(_TransportError),
            reraise=True,
        )
        full = url + ("?" + "&".join(f"{key}={quote(value, safe='')}" for key, value in query.items()) if query else "")
        async for attempt in attempts:
            with attempt:
                return await self._once(full, has_query=bool(query))
        raise AssertionError("unreachable")  # pragma: no cover - the last attempt raises

    async def _once(self, url: str, *, has_query: bool) -> tuple[bytes, str]:
        try:
            async with self._open().get(url, timeout=_TIMEOUT, ssl=self._trust()) as answer:
                if answer.status == 404 and has_query and not await _is_catalog_missing(answer):
                    raise _NoMetasError
                if answer.status != 200:
                    raise RetryableError(
                        f"error: received unexpected response status code {answer.status}",
                        retry_after_s=_retry_after(answer),
                    )
                return await _read(answer), answer.headers.get("ETag", "")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _TransportError(f"error performing request: {URL(url).authority}: {reason_of(error)}") from error

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit_per_host=16)
            headers = {"User-Agent": self._user_agent}
            self._session = aiohttp.ClientSession(connector=connector, headers=headers, trust_env=True)
        return self._session


@asynccontextmanager
async def _within(limit_s: float) -> AsyncIterator[None]:
    """Bound what is done inside; raises `RetryableError` when the time is over."""
    try:
        async with asyncio.timeout(limit_s):
            yield
    except TimeoutError as error:
        raise RetryableError(f"error performing request: no complete answer within {limit_s:g} s") from error


async def _is_catalog_missing(answer: aiohttp.ClientResponse) -> bool:
    """catalogd answers `404 Not Found` for an unknown catalog, `404 page not found` for a route it does not have."""
    return (await answer.content.read(64)).startswith(b"404 Not Found")


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    parts, size = [], 0
    async for chunk in answer.content.iter_chunked(1024 * 1024):
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise RetryableError(f"error: catalog answered more than {MAX_BODY_BYTES} bytes")
        parts.append(chunk)
    return b"".join(parts)


def _retry_after(answer: aiohttp.ClientResponse) -> float | None:
    text = answer.headers.get("Retry-After", "")
    return min(float(text), 600.0) if text.isdecimal() else None


def _split(body: bytes) -> tuple[bytes, ...]:
    return tuple(line for line in body.split(b"\n") if line)


def _lines_of(body: bytes, package: str) -> tuple[bytes, ...]:
    found = []
    for line in _split(body):
        meta = _META.decode(line)
        owner = meta.package or (meta.name if meta.schema == "olm.package" else "")
        if owner == package:
            found.append(line)
    return tuple(found)
