"""Prometheus metrics over HTTPS for whoever the cluster lets read them.

The caller's bearer token is reviewed by the API server, and so is the right to `get` the path. `main` passes the one
call that is needed (`post`), so nothing here knows a Kubernetes client.
"""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from aiohttp import web
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder

from olmv1.errors import OlmError
from olmv1.telemetry.listen import BindAddress, Server
from olmv1.telemetry.logs import get_logger

__all__ = ["MetricsServer", "Reviewer", "new_registry"]

_PATH = "/metrics"
# A scraper comes every few seconds to minutes; a right that was taken away is noticed this much later at most.
_REMEMBERED_S = 10.0
_REMEMBERED_COUNT = 1000
_TOKEN_REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews"  # noqa: S105 - a path
_ACCESS_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"

log = get_logger(__name__)


class Reviewer(Protocol):
    """Asks the API server for reviews, as a Kubernetes client does."""

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer to a POST; raises OlmError when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a scraper is answered when it may not read: status 200 means it may."""

    status: int
    text: str = ""
    until: float = 0.0


def new_registry() -> CollectorRegistry:
    """A registry with the standard series of process and runtime; one per app object, so that tests stay apart."""
    registry = CollectorRegistry(auto_describe=True)
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    return registry


class MetricsServer:
    """`/metrics` of one registry; answers 401, 403 or 500 as the reviews decide."""

    def __init__(
        self,
        address: BindAddress,
        registry: CollectorRegistry,
        reviewer: Reviewer,
        *,
        context: ssl.SSLContext,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._registry = registry
        self._reviewer = reviewer
        self._clock = clock
        self._verdicts: dict[bytes, _Verdict] = {}
        app = web.Application()
        app.router.add_get(_PATH, self._answer)
        self._server = Server(app, address, context)

    @property
    def port(self) -> int:
        """The port that is listened on; known once the server is open."""
        return self._server.port

    async def run(self) -> None:
        """Answer until cancelled."""
        async with self:
            await asyncio.Event().wait()

    async def __aenter__(self) -> MetricsServer:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._server.__aexit__(kind, problem, trace)

    async def _answer(self, request: web.Request) -> web.Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            return web.Response(status=401, text="Unauthorized\n")
        verdict = await self._verdict(token.strip())
        if verdict.status != 200:
            return web.Response(status=verdict.status, text=f"{verdict.text}\n")
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})

    async def _verdict(self, token: str) -> _Verdict:
        """The decision about a token, remembered for some seconds under its hash; failures to ask are not."""
        key, now = hashlib.sha256(token.encode()).digest(), self._clock()
        known = self._verdicts.get(key)
        if known is not None and now < known.until:
            return known
        verdict = await self._review(token, now + _REMEMBERED_S)
        if verdict.status != 500:
            self._verdicts = {k: v for k, v in self._verdicts.items() if now < v.until}
            if len(self._verdicts) < _REMEMBERED_COUNT:
                self._verdicts[key] = verdict
        return verdict

    async def _review(self, token: str, until: float) -> _Verdict:
        try:
            who = await self._ask(_TOKEN_REVIEWS, {"token": token})
        except OlmError as problem:
            log.warning("token not reviewed", problem=str(problem))
            return _Verdict(500, "Authentication failed")
        if not who.get("authenticated"):
            return _Verdict(401, "Unauthorized", until)
        user = who.get("user") or {}
        name = str(user.get("username") or "")
        try:
            may = await self._ask(_ACCESS_REVIEWS, _access(user))
        except OlmError as problem:
            log.warning("access not reviewed", user=name, problem=str(problem))
            return _Verdict(500, f"Authorization for user {name} failed")
        if not may.get("allowed"):
            return _Verdict(403, f"Authorization denied for user {name}", until)
        return _Verdict(200, until=until)

    async def _ask(self, path: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        group_version, kind = path.split("/apis/")[1].rsplit("/", 1)
        kinds = {"tokenreviews": "TokenReview", "subjectaccessreviews": "SubjectAccessReview"}
        body = {"apiVersion": group_version, "kind": kinds[kind], "spec": spec}
        answer: Mapping[str, Any] = (await self._reviewer.post(path, body)).get("status") or {}
        return answer


def _access(user: Mapping[str, Any]) -> Mapping[str, Any]:
    wanted = {"user": user.get("username"), "uid": user.get("uid"), "groups": user.get("groups")}
    spec = {key: value for key, value in {**wanted, "extra": user.get("extra")}.items() if value}
    return {**spec, "nonResourceAttributes": {"path": _PATH, "verb": "get"}}
