"""A serving certificate of our own, kept in one Secret that all replicas share.

Every replica makes what is missing and renews what is due; the resource version lets one of them win, the others take
what it wrote. A watch tells of every change, so nobody restarts. A Secret that was deleted, broken or overwritten is
made good again, and the log says why. What is due is said by `renewal`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from prometheus_client import CollectorRegistry, Gauge

from olmv1.api.names import LABEL_MANAGED_BY, MANAGED_BY
from olmv1.errors import RetryableError
from olmv1.kube.caches import Cache, Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, Conflict, NotFound
from olmv1.kube.latest import Latest
from olmv1.kube.resources import SECRETS
from olmv1.manifests import Manifest
from olmv1.serving_certificate.material import Material, data_of, facts_of, material_in
from olmv1.serving_certificate.pace import Pace
from olmv1.serving_certificate.renewal import Renewal, Wanted, is_servable, next_look, renewed
from olmv1.settings import SecretName
from olmv1.telemetry.logs import get_logger
from olmv1.tls import Profile, bare_server_context, offer

__all__ = ["OwnCertificate"]

_TYPE = "kubernetes.io/tls"
_LABELS = {LABEL_MANAGED_BY: MANAGED_BY}
_LONGEST_PAUSE_S, _SHORTEST_PAUSE_S = 3600.0, 1.0

log = get_logger(__name__)


class OwnCertificate:
    """The certificate; `context` is for the servers and refuses handshakes until one is there. `now` gives UTC."""

    def __init__(
        self,
        place: SecretName,
        wanted: Wanted,
        profile: Profile,
        registry: CollectorRegistry,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.context = bare_server_context(profile)
        self._place = place
        self._wanted = wanted
        self._now = now
        self._ends = Gauge(
            "olm_serving_certificate_expiration_timestamp_seconds",
            "When our own certificates end, in seconds since 1970",
            ["certificate"],
            registry=registry,
        )
        self._latest = Latest()
        self._pace = Pace()
        self._offered = ""
        self._problem = ""
        self._cache: Cache | None = None

    def what_is_missing(self) -> str | None:
        """Why the servers cannot be spoken to yet; `None` as soon as a certificate is offered."""
        if self._offered:
            return None
        watching = self._cache.last_problem if self._cache is not None else ""
        return self._problem or watching or f"no certificate in Secret {self._place} yet"

    async def follow(self, client: KubeClient) -> None:
        """Keep the Secret in order and offer what is in it, until cancelled."""
        async with Caches(client) as caches:
            selector = f"metadata.name={self._place.name}"
            cache = self._cache = caches.open(SECRETS, namespace=self._place.namespace, field_selector=selector)
            changed = asyncio.Event()
            cache.add_handler(lambda _change: changed.set())
            await cache.wait_synced()
            while True:
                changed.clear()
                pause_s = await self._pass(client, cache)
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause_s):
                        await changed.wait()

    async def _pass(self, client: KubeClient, cache: Cache) -> float:
        """Do what is due; seconds until the next look that nothing but time asks for."""
        secret = self._current(cache)
        if secret is not None and secret.get("type") != _TYPE:
            # A type cannot be changed, and what is in there belongs to somebody.
            self._tell(
                f"Secret {self._place} is needed for our own certificates: "
                f'expected type "{_TYPE}", found "{secret.get("type")}"'
            )
            return _LONGEST_PAUSE_S
        found = material_in((secret or {}).get("data") or {})
        due = renewed(found, self._wanted, self._now())
        if not due.reasons:
            self._tell("")
            self._offer(due.material)
            return self._pause_s(due.material)
        if (pause_s := self._pace.wait_s()) > 0:
            self._offer(found)
            return pause_s
        self._pace.step()
        if await self._write(client, secret, due):
            self._offer(due.material)
        else:
            self._offer(found)
        return max(_SHORTEST_PAUSE_S, self._pace.wait_s())

    def _current(self, cache: Cache) -> Manifest | None:
        """The Secret as the watch shows it, or as we wrote it last where the watch is behind."""
        seen = cache.get(self._place.name, self._place.namespace)
        if seen is None:
            self._latest.forget(self._place.name)
            return None
        return self._latest.of(seen)

    async def _write(self, client: KubeClient, secret: Manifest | None, due: Renewal) -> bool:
        """Whether the content was written; somebody else who was faster is no problem."""
        name, data = self._place.name, data_of(due.material)
        try:
            if secret is None:
                # An apply asks for the right to create this one name. A manager of its own makes it refuse what is
                # there already, so that of several replicas one wins.
                written = await client.apply(SECRETS, self._new(data), field_manager=f"{name}-{uuid4().hex}")
            else:
                patch = _patch(secret, data)
                written = await client.patch(SECRETS, name, patch, namespace=self._place.namespace)
        except ApiError as error:
            if isinstance(error, Conflict) or (isinstance(error, NotFound) and secret is not None):
                log.debug("own certificates not written: they were changed at the same time", secret=str(self._place))
                return False
            self._tell(f"Secret {self._place} with our own certificates cannot be written: {error}")
            return False
        self._latest.note(written)
        self._tell("")
        tell = log.warning if secret is not None and due.is_repair else log.info
        tell("own certificates written", secret=str(self._place), because=list(due.reasons))
        return True

    def _new(self, data: Mapping[str, str]) -> dict[str, Any]:
        metadata = {"name": self._place.name, "namespace": self._place.namespace, "labels": _LABELS}
        return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": _TYPE, "data": dict(data)}

    def _offer(self, material: Material) -> None:
        """Offer the serving certificate if it can be used; else the one before stays."""
        pair = material.serving
        if pair is None or not is_servable(material, self._now()):
            return
        facts = facts_of(pair)
        if facts.digest == self._offered:
            return
        try:
            offer(self.context, pair.certificate, pair.key)
        except RetryableError as error:
            self._tell(str(error))
            return
        self._offered = facts.digest
        self._ends.labels("serving").set(facts.span.end.timestamp())
        if material.signer is not None:
            self._ends.labels("authority").set(facts_of(material.signer).span.end.timestamp())
        log.info("own certificate offered", secret=str(self._place), end=facts.span.end.isoformat())

    def _pause_s(self, material: Material) -> float:
        now = self._now()
        left_s = (next_look(material, now, self._wanted.lifetimes) - now).total_seconds()
        # Once an hour even so: a machine that slept has another time than it thinks.
        return min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, left_s))

    def _tell(self, problem: str) -> None:
        """Say once what is wrong, however often it is met."""
        if problem and problem != self._problem:
            log.error("own certificates are not in order", problem=problem)
        self._problem = problem


def _patch(secret: Manifest, data: Mapping[str, str]) -> dict[str, Any]:
    """A merge patch under an optimistic lock that leaves exactly `data`."""
    gone: dict[str, str | None] = dict.fromkeys(secret.get("data") or {})
    metadata = {"resourceVersion": secret["metadata"]["resourceVersion"], "labels": _LABELS}
    return {"metadata": metadata, "data": {**gone, **data}}
