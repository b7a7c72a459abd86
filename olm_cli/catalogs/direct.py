"""The way to catalogd by its own address."""

from __future__ import annotations

import ssl
from pathlib import Path

import aiohttp

from olm_cli.catalogs.served import Answer, NoSuchRoute
from olm_cli.problems import BadInput, CannotTell
from olmv1.errors import RetryableError
from olmv1.images.failures import failure_of
from olmv1.tls import client_context, profile_of

__all__ = ["DirectRoute"]

_TIMEOUT = aiohttp.ClientTimeout(total=300, connect=10, sock_read=60)
_ROUTE_MISSING = "404 page not found"


class DirectRoute:
    """A catalogd at `base_url` (`https://host:port`), trusted as the system and `ca_dir` say; close it at the end."""

    def __init__(self, base_url: str, ca_dir: Path | None) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise BadInput(f"--catalogd-url {base_url}: expected a URL such as https://localhost:8443")
        self._base_url = base_url.rstrip("/")
        connector = aiohttp.TCPConnector(ssl=_trust(ca_dir))
        self._session = aiohttp.ClientSession(connector=connector, timeout=_TIMEOUT, trust_env=True)

    async def get(self, path: str) -> Answer:
        """The answer of the server. Raises: as `Route.get`."""
        try:
            async with self._session.get(self._base_url + path) as answer:
                body = await answer.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            text = str(failure_of(self._base_url, error))
            is_trust = isinstance(error, aiohttp.ClientConnectorCertificateError)
            raise CannotTell(text + "; name its CA with --catalogd-cas-dir" * is_trust) from error
        if answer.status == 404 and body.startswith(_ROUTE_MISSING.encode()):
            raise NoSuchRoute(f"{self._base_url}: {_ROUTE_MISSING}")
        if answer.status == 404:
            raise CannotTell("catalogd does not have its content yet")
        if answer.status != 200:
            raise CannotTell(f"{self._base_url}: received unexpected response status code {answer.status}")
        return Answer(body, answer.headers.get("ETag", ""))

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()


def _trust(ca_dir: Path | None) -> ssl.SSLContext:
    try:
        return client_context(ca_dir, profile_of("intermediate")).context
    except RetryableError as error:
        raise BadInput(f"--catalogd-cas-dir: {error}") from error
