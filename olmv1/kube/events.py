"""Kubernetes Events: what a person sees under an object, written in the background.

Reconcilers emit on transitions; nothing here may slow a reconcile or fail it. It holds no rule of OLM.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid4

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound, NotLeading
from olmv1.kube.resources import EVENTS
from olmv1.manifests import Manifest, key_of, uid_of
from olmv1.telemetry.logs import get_logger

__all__ = ["EventRecorder"]

_CAPACITY = 1000
# A repeat within this time raises the count of the first Event, a later one is news again.
_SERIES_S = 600.0
# Limits of the API: bytes of a note, characters of the other fields and of a name.
_NOTE_BYTES, _FIELD_LENGTH, _NAME_LENGTH = 1024, 128, 253
_SUFFIX_LENGTH = 17

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Fact:
    """What is said about which object; equal facts are one series."""

    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str
    type: str
    reason: str
    message: str
    action: str


@dataclass(slots=True)
class _Series:
    """One Event on the cluster, and how often its fact was stated."""

    name: str
    count: int
    seen_at: float


class EventRecorder:
    """Takes Events without waiting and writes them one after the other in `run`.

    `component` and `instance` tell readers who speaks (`reportingController`, `reportingInstance`).
    """

    def __init__(
        self,
        client: KubeClient,
        component: str,
        instance: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._component = component[:_FIELD_LENGTH]
        self._instance = instance[:_FIELD_LENGTH]
        self._clock = clock
        self._pending: asyncio.Queue[_Fact] = asyncio.Queue(_CAPACITY)
        self._series: dict[_Fact, _Series] = {}
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """How many Events found the queue full."""
        return self._dropped

    @property
    def waiting(self) -> int:
        """How many Events are not written yet."""
        return self._pending.qsize()

    def emit(
        self, about: Manifest, *, type_: Literal["Normal", "Warning"], reason: str, message: str, action: str
    ) -> None:
        """Say `message` about an object of the cluster; dropped when a thousand others wait already."""
        key = key_of(about)
        identity = (key.api_version, key.kind, key.namespace, key.name, uid_of(about))
        try:
            self._pending.put_nowait(_Fact(*identity, type_, reason[:_FIELD_LENGTH], message, action[:_FIELD_LENGTH]))
        except asyncio.QueueFull:
            self._dropped += 1
            if self._dropped == 1:
                log.warning("events dropped", component=self._component, capacity=_CAPACITY)

    async def run(self) -> None:
        """Write what is emitted until cancelled; what the API server refuses is logged and forgotten."""
        while True:
            fact = await self._pending.get()
            try:
                await self._write(fact)
            except (ApiError, NotLeading) as problem:
                log.info("event not written", reason=fact.reason, kind=fact.kind, name=fact.name, problem=str(problem))

    async def _write(self, fact: _Fact) -> None:
        now = self._clock()
        self._series = {key: series for key, series in self._series.items() if now - series.seen_at < _SERIES_S}
        series = self._series.get(fact)
        if series is not None and await self._repeat(fact, series):
            series.seen_at = now
            return
        name = f"{fact.name[: _NAME_LENGTH - _SUFFIX_LENGTH]}.{uuid4().hex[:16]}"
        await self._client.create(EVENTS, self._manifest(fact, name))
        self._series[fact] = _Series(name, 1, now)

    async def _repeat(self, fact: _Fact, series: _Series) -> bool:
        """Whether the Event of the series is still there to be raised; the cluster forgets Events after an hour."""
        series.count += 1
        patch = {"series": {"count": series.count, "lastObservedTime": _micro_time()}}
        try:
            await self._client.patch(EVENTS, series.name, patch, namespace=_namespace_of(fact))
        except NotFound:
            return False
        return True

    def _manifest(self, fact: _Fact, name: str) -> Manifest:
        regarding: dict[str, Any] = {"apiVersion": fact.api_version, "kind": fact.kind, "name": fact.name}
        regarding |= {key: value for key, value in {"namespace": fact.namespace, "uid": fact.uid}.items() if value}
        return {
            "apiVersion": EVENTS.api_version,
            "kind": EVENTS.kind,
            "metadata": {"name": name, "namespace": _namespace_of(fact)},
            "eventTime": _micro_time(),
            "reportingController": self._component,
            "reportingInstance": self._instance,
            "regarding": regarding,
            "type": fact.type,
            "reason": fact.reason,
            "action": fact.action,
            "note": _cut(fact.message),
        }


def _namespace_of(fact: _Fact) -> str:
    """Where the Event lives: beside its object, or in `default` for cluster-scoped ones, where kubectl looks."""
    return fact.namespace or "default"


def _cut(message: str) -> str:
    encoded = message.encode()
    if len(encoded) <= _NOTE_BYTES:
        return message
    marker = "..."
    return encoded[: _NOTE_BYTES - len(marker)].decode(errors="ignore") + marker


def _micro_time() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
