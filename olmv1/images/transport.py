"""HTTP to registries: one session, TLS per host, proxies, redirects, and the only retries of a pull.

Shell. It knows nothing of images or credentials. Short, bounded retries of transport errors and of 408, 429 and 5xx
happen here and nowhere else; a longer `Retry-After` travels upwards in the failure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import aiohttp
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, stop_after_delay
from tenacity.wait import wait_random_exponential
from yarl import URL

from olmv1.images.failures import RegistryError, TransientError, failure_of, retry_after_s, status_failure
from olmv1.images.meters import PullMeters
from olmv1.images.proxies import Proxies
from olmv1.images.settings import ImageSettings, Timing
from olmv1.images.trust import TrustStore

__all__ = ["Call", "Transport", "read_bounded"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REDIRECT_LIMIT = 10
_ERROR_BODY_BYTES = 4096
_READ_BUFFER_BYTES = 256 * 1024
_RETRY_WAIT_LIMIT_S = 2.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `trust_name` is the host folder of its certificates.

    In errors `peer` names whom a connection was wanted to, `where` what was asked.
    """

    method: str
    url: URL
    where: str
    peer: str
    trust_name: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    form: Mapping[str, str] | None = field(default=None, repr=False)
    is_insecure: bool = False

    def redirected(self, location: str) -> Call:
        """This request at `location`; credentials stay behind when it leads to another origin.

        Raises:
            RegistryError: the new place is not HTTP, or less protected than the old one.
        """
        try:
            target = self.url.join(URL(location, encoded=True))
            is_http = target.scheme in {"https", "http"} and bool(target.host)
        except ValueError:
            is_http = False
        if not is_http:
            raise RegistryError(f"{self.where}: redirected to something that is not HTTP")
        if self.url.scheme == "https" and target.scheme == "http" and not self.is_insecure:
            raise RegistryError(f"{self.where}: redirected from https to http://{target.host}, which is refused")
        if target.origin() == self.url.origin():
            return replace(self, url=target)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "authorization"}
        port = "" if target.is_default_port() else f":{target.explicit_port}"
        return replace(self, url=target, headers=headers, trust_name=f"{target.host}{port}")


class Transport:
    """The HTTP session of one puller."""

    def __init__(self, settings: ImageSettings, trust: TrustStore, meters: PullMeters) -> None:
        self._timing: Timing = settings.timing
        self._proxies: Proxies = settings.proxies
        self._trust = trust
        self._meters = meters
        self._session: aiohttp.ClientSession | None = None

    async def send(self, call: Call) -> aiohttp.ClientResponse:
        """The answer to `call` after redirects and retries, its body not yet read; the caller releases it.

        Statuses that a retry cannot heal (2xx to 4xx) are answers, not errors.

        Raises:
            RegistryError: no answer, or 408, 429 or 5xx to the last try.
        """
        retrying = AsyncRetrying(
            stop=self._is_over,
            wait=self._wait_s,
            retry=retry_if_exception_type(TransientError),
            reraise=True,
        )
        return await retrying(self._follow, call)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    async def _follow(self, call: Call) -> aiohttp.ClientResponse:
        for _ in range(_REDIRECT_LIMIT):
            response = await self._once(call)
            location = response.headers.get("Location")
            if response.status not in _REDIRECTS or not location:
                return response
            response.release()
            call = call.redirected(location)
        raise RegistryError(f"{call.where}: more than {_REDIRECT_LIMIT} redirects")

    async def _once(self, call: Call) -> aiohttp.ClientResponse:
        context = await self._trust.context_for(call.trust_name, is_insecure=call.is_insecure)
        try:
            response = await self._open_session().request(
                call.method,
                call.url,
                headers=call.headers,
                data=call.form,
                allow_redirects=False,
                ssl=context,
                proxy=self._proxies.proxy_for(call.url),
            )
        except (aiohttp.ClientError, OSError) as error:
            self._meters.request(call.trust_name, 0)
            raise failure_of(call.peer, error) from error
        self._meters.request(call.trust_name, response.status)
        if response.status in {408, 429} or response.status >= 500:
            wait_s = retry_after_s(response.headers.get("Retry-After"), datetime.now(UTC))
            body = await read_bounded(response, _ERROR_BODY_BYTES, call.where)
            raise status_failure(call.where, response.status, body or b"", wait_s)
        return response

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            timing = self._timing
            self._session = aiohttp.ClientSession(
                # Layers are verified as they were sent: nothing may be decompressed on the way.
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": "olmv1", "Accept-Encoding": "identity"},
                read_bufsize=_READ_BUFFER_BYTES,
                timeout=aiohttp.ClientTimeout(total=None, connect=timing.connect_s, sock_read=timing.read_s),
            )
        return self._session

    def _is_over(self, state: RetryCallState) -> bool:
        timing = self._timing
        failure = state.outcome.exception() if state.outcome else None
        asked = failure.retry_after_s if isinstance(failure, RegistryError) else None
        over = (asked or 0.0) > timing.retry_budget_s
        return over or (stop_after_attempt(timing.retry_attempts) | stop_after_delay(timing.retry_budget_s))(state)

    def _wait_s(self, state: RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, RegistryError) and failure.retry_after_s is not None:
            return failure.retry_after_s
        return wait_random_exponential(multiplier=self._timing.retry_wait_s, max=_RETRY_WAIT_LIMIT_S)(state)


async def read_bounded(response: aiohttp.ClientResponse, limit_bytes: int, where: str) -> bytes | None:
    """The whole body of `response`, which is released; `None` when it is longer than `limit_bytes`.

    Raises:
        RegistryError: the connection was cut.
    """
    body = bytearray()
    try:
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > limit_bytes:
                return None
    except (aiohttp.ClientError, OSError) as error:
        raise failure_of(where, error) from error
    finally:
        # An answer that was read to its end has given its connection back already; any other is of no further use.
        response.close()
    return bytes(body)
