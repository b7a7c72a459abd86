"""One leader among replicas, held by a Lease that is renewed while the work goes on.

`main` runs the work of a component under a `LeaderElector`. Validity is judged on the monotonic clock of each replica;
the times written into the Lease are for readers only.
"""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from prometheus_client import CollectorRegistry

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, Conflict, NotFound
from olmv1.kube.metrics import LeaderMetrics
from olmv1.kube.resources import LEASES
from olmv1.manifests import Manifest
from olmv1.telemetry.logs import get_logger

__all__ = ["LeaderElector", "LostLease", "new_identity"]

# Stopping must fit into the ten seconds that a pod has; the Lease runs out by itself when this is not enough.
_RELEASE_S = 2.0

log = get_logger(__name__)


class LostLease(RetryableError):  # noqa: N818 - it names what happened, as the classes of errors.py do
    """This replica leads no longer; its work was stopped before another one could begin."""


def new_identity() -> str:
    """`<host name>_<uuid>`: readable, and different after every start."""
    return f"{socket.gethostname()}_{uuid4()}"


@dataclass(frozen=True, slots=True)
class _Seen:
    """The Lease as it was last read or written, and when that version was new to us."""

    lease: Manifest
    since: float

    @property
    def holder(self) -> str:
        return str(self.lease["spec"].get("holderIdentity") or "")

    @property
    def transitions(self) -> int:
        return int(self.lease["spec"].get("leaseTransitions") or 0)

    @property
    def expires_at(self) -> float:
        return self.since + float(self.lease["spec"].get("leaseDurationSeconds") or 0)


class LeaderElector:
    """A candidate for one Lease.

    `lease_s`: how long others wait for a silent holder. `renew_s`: how long a holder goes on without a successful
    renewal; below `lease_s`, so that it stops before another one starts. `retry_s`: the pause between tries.
    """

    def __init__(  # noqa: PLR0913 - wiring names every knob of the election
        self,
        client: KubeClient,
        *,
        namespace: str,
        name: str,
        identity: str,
        lease_s: float = 15,
        renew_s: float = 10,
        retry_s: float = 2,
        registry: CollectorRegistry | None = None,
    ) -> None:
        self._client = client
        self._namespace = namespace
        self._name = name
        self._identity = identity
        self._lease_s, self._renew_s, self._retry_s = lease_s, renew_s, retry_s
        self._metrics = LeaderMetrics(registry or CollectorRegistry(), name)
        self._seen: _Seen | None = None
        self._renewed_at = 0.0
        self._holds = False
        self._last_problem = ""

    @property
    def is_leader(self) -> bool:
        """Whether work may be done at this moment: the Lease is held and its last renewal is recent enough."""
        return self._holds and time.monotonic() < self._renewed_at + self._renew_s

    async def run(self, lead: Callable[[], Awaitable[None]]) -> None:
        """Wait for the Lease, run `lead()` while it is held, and release it when `lead()` ends or is cancelled.

        Raises:
            LostLease: the Lease could not be renewed in time or was taken; `lead()` has been cancelled.
        """
        await self._acquire()
        self._metrics.status.set(1)
        log.info("became leader", lease=self._name, identity=self._identity)
        try:
            await self._lead(lead)
        except BaseExceptionGroup as problems:
            lost, others = problems.split(LostLease)
            if lost is None or others is not None:
                raise
            raise LostLease(f'lease "{self._namespace}/{self._name}" is lost') from problems
        finally:
            self._metrics.status.set(0)
            await self._release()

    async def _lead(self, lead: Callable[[], Awaitable[None]]) -> None:
        # A keeper that fails cancels this task, and with it the work.
        async with asyncio.TaskGroup() as group:
            keeper = group.create_task(self._keep())
            await lead()
            keeper.cancel()

    async def _acquire(self) -> None:
        # Replicas that start together do not all ask at the same instant.
        await asyncio.sleep(random.uniform(0, self._retry_s / 10))  # noqa: S311 - spreads load, hides nothing
        while not await self._try(self._take_if_free):
            pause = self._retry_s * random.uniform(1, 1.2)  # noqa: S311
            if self._seen is not None and self._seen.holder:
                # Awake just when a silent holder's time is over, not up to a pause later.
                pause = min(pause, max(0.05, self._seen.expires_at - time.monotonic()))
            await asyncio.sleep(pause)

    async def _keep(self) -> None:
        """Renew for ever; raises LostLease the moment the Lease is not ours or not renewed in time."""
        while True:
            await asyncio.sleep(min(self._retry_s, self._seconds_left()))
            if self._seconds_left() <= 0:
                # The process slept, or every renewal failed: another replica may lead already, so nothing comes first.
                raise self._lost()
            try:
                async with asyncio.timeout(self._seconds_left()):
                    is_ours = await self._try(self._renew)
            except TimeoutError:
                is_ours = False
            if not self._holds or (not is_ours and self._seconds_left() <= 0):
                raise self._lost()

    def _lost(self) -> LostLease:
        self._holds = False
        log.warning("lost the lease", lease=self._name, identity=self._identity, problem=self._last_problem)
        return LostLease(f'lease "{self._namespace}/{self._name}" is lost')

    def _seconds_left(self) -> float:
        return max(0.0, self._renewed_at + self._renew_s - time.monotonic())

    async def _try(self, step: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the Lease is ours after one step; a failure of the API is a no, said once in the log."""
        try:
            async with asyncio.timeout(self._renew_s / 2):
                is_ours = await step()
        except (ApiError, TimeoutError) as problem:
            text = str(problem) or "the Kubernetes API did not answer in time"
            if text != self._last_problem:
                self._last_problem = text
                log.warning("lease not reached", lease=self._name, problem=text)
            return False
        self._last_problem = ""
        return is_ours

    async def _take_if_free(self) -> bool:
        try:
            seen = self._observe(await self._client.get(LEASES, self._name, self._namespace))
        except NotFound:
            return await self._write(self._client.create, self._body({}, transitions=0))
        if seen.holder and seen.holder != self._identity and time.monotonic() < seen.expires_at:
            return False
        return await self._write(self._client.replace, self._body(seen.lease, transitions=seen.transitions + 1))

    async def _renew(self) -> bool:
        seen = self._seen
        if seen is None:
            return False
        if await self._write(self._client.replace, self._body(seen.lease, transitions=seen.transitions)):
            return True
        # Somebody else wrote the Lease: only its holder decides whether that matters.
        seen = self._observe(await self._client.get(LEASES, self._name, self._namespace))
        self._holds = seen.holder == self._identity
        if not self._holds:
            return False
        return await self._write(self._client.replace, self._body(seen.lease, transitions=seen.transitions))

    async def _write(self, write: Callable[..., Awaitable[Manifest]], body: Manifest) -> bool:
        asked_at = time.monotonic()
        try:
            lease = await write(LEASES, body)
        except Conflict:
            return False
        self._observe(lease)
        self._renewed_at, self._holds = asked_at, True
        return True

    def _observe(self, lease: Manifest) -> _Seen:
        if self._seen is None or self._seen.lease["spec"] != lease["spec"]:
            self._seen = _Seen(lease, time.monotonic())
        else:
            self._seen = _Seen(lease, self._seen.since)
        return self._seen

    def _body(self, lease: Manifest, *, transitions: int) -> Manifest:
        now = _micro_time()
        spec: dict[str, Any] = dict(lease.get("spec") or {})
        if spec.get("holderIdentity") != self._identity:
            spec |= {"acquireTime": now, "leaseTransitions": transitions}
        spec |= {"holderIdentity": self._identity, "leaseDurationSeconds": round(self._lease_s), "renewTime": now}
        return self._manifest(lease, spec)

    def _manifest(self, lease: Manifest, spec: Manifest) -> Manifest:
        metadata = lease.get("metadata") or {"name": self._name, "namespace": self._namespace}
        return {"apiVersion": LEASES.api_version, "kind": LEASES.kind, "metadata": metadata, "spec": spec}

    async def _release(self) -> None:
        """Leave the Lease to whoever asks next, if it is still ours."""
        if not self._holds or self._seen is None:
            return
        self._holds = False
        spec = {**self._seen.lease["spec"], "holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": _micro_time()}
        try:
            async with asyncio.timeout(_RELEASE_S):
                await self._client.replace(LEASES, self._manifest(self._seen.lease, spec))
        except (ApiError, TimeoutError) as problem:
            log.info("lease not released, it will expire", lease=self._name, problem=str(problem))
        else:
            log.info("released the lease", lease=self._name, identity=self._identity)


def _micro_time() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
