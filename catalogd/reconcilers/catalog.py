"""The reconcile of a ClusterCatalog on the leader. Rule: clustercatalog.md 4 to 8 and 13."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from catalogd.outcome import Outcome, Served, Withdrawn
from catalogd.polling import Attempt, Wanted, first_poll_factor, is_due, later_poll_factor, next_at_s
from catalogd.reconcilers.examiner import Examiner
from catalogd.reconcilers.tidings import Tidings
from catalogd.reconcilers.view import has_finalizer, is_offered, metadata_patch, wanted_of
from catalogd.status import status_of
from catalogd.store import Store
from catalogd.unpack import Unpacked, Unpacker, in_context
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.images.puller import Puller
from olmv1.images.references import Reference
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Result
from olmv1.kube.errors import Conflict, NotFound
from olmv1.kube.queue import Backoff
from olmv1.kube.resources import CLUSTER_CATALOGS
from olmv1.manifests import Manifest, is_deleting, name_of

__all__ = ["CatalogReconciler", "Ports"]

_RETRIES = Backoff(1.0, 2.0, 600.0, jitter=True)
_STALE_S = 1.0
"""After a write that was refused because the object had moved on; its watch event comes earlier than this."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What a reconcile reads and writes.

    `base_url` gives `status.urls.base` of a catalog; `examiner` looks at what was unpacked, `None`: nobody does.
    """

    client: KubeClient
    catalogs: Cache
    store: Store
    puller: Puller
    unpacker: Unpacker
    tidings: Tidings
    base_url: Callable[[str], str]
    clock: Callable[[], float] = time.monotonic
    draw: Callable[[], float] = random.random
    examiner: Examiner | None = None


class CatalogReconciler:
    """Moves one catalog after the other towards its spec. Its memory only saves looks at registries."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._attempts: dict[str, Attempt] = {}

    async def reconcile(self, name: str) -> Result:
        """One pass over the catalog `name`; writes its status at most once.

        Raises:
            OlmError: the cluster or the volume refused something; the queue tries again.
        """
        catalog = self._ports.catalogs.get(name)
        try:
            if catalog is None:
                # The finalizer saw to its content. Should it be a lie (a kind that is not served for a moment reads as
                # no objects), content is not lost for it: the garbage collector looks later.
                self._attempts.pop(name, None)
                return Result()
            if not is_offered(catalog):
                return await self._withdraw(catalog)
            if patch := metadata_patch(catalog, is_held=True):
                # Nothing is stored before the finalizer is there: a deletion in between would leave content behind.
                await self._ports.client.patch(CLUSTER_CATALOGS, name, patch)
                return Result(outcome="prepared")
            return await self._serve(catalog)
        except Conflict:
            return Result(requeue_after_s=_STALE_S, outcome="outdated")
        except NotFound:
            return Result(outcome="gone")

    def wake_failing(self) -> list[str]:
        """The catalogs whose fetching failed for a reason that may be gone now; their next pass looks again at once."""
        waiting = [name for name, attempt in self._attempts.items() if attempt.retry_in_s is not None]
        for name in waiting:
            self._attempts[name] = replace(self._attempts[name], retry_in_s=0.0)
        return waiting

    async def _serve(self, catalog: Manifest) -> Result:
        name, wanted = name_of(catalog), wanted_of(catalog)
        has_content = await asyncio.to_thread(self._ports.store.is_intact, name)
        # Told before the fetch, which may take minutes; the event of this write starts the next pass.
        if self._ports.store.snapshot(name) is None and await self._write_status(catalog, Outcome(is_pending=True)):
            return Result(outcome="pending")
        last = self._attempts.get(name) or self._adopted(name, wanted)
        is_looked_at = is_due(wanted, last, self._ports.clock(), has_content=has_content)
        attempt = await self._look(catalog, wanted, last) if is_looked_at else replace(_known(last), wanted=wanted)
        self._attempts[name] = attempt
        if is_looked_at:
            self._ports.tidings.tell(catalog, last, attempt, self._ports.store.snapshot(name))
        seen = Outcome(served=self._served(name, attempt), failure=attempt.failure)
        written = await self._write_status(catalog, seen)
        return self._result(attempt, is_looked_at=is_looked_at, is_notable=written is not None)

    async def _look(self, catalog: Manifest, wanted: Wanted, last: Attempt | None) -> Attempt:
        """The state after asking the registry, and after fetching what is new; failures are part of it."""
        name = name_of(catalog)
        factor = (first_poll_factor if last is None else later_poll_factor)(self._ports.draw())
        attempt = Attempt(wanted, self._ports.clock(), factor)
        failures = last.failures if last else 0
        try:
            attempt = replace(attempt, resolved_ref=await self._resolve(wanted.ref))
            if last is not None and _is_decided(last, attempt):
                return replace(attempt, failure=last.failure, failures=failures)
            if not await self._has(name, attempt.resolved_ref):
                unpacked = await self._ports.unpacker.unpack(name, attempt.resolved_ref, wanted.ref)
                self._ports.tidings.warn(catalog, unpacked.warnings)
                self._examine(catalog, attempt.resolved_ref, unpacked)
        except TerminalError as error:
            return replace(attempt, failure=error, failures=failures + 1)
        except OlmError as error:
            return replace(attempt, failure=error, failures=failures + 1, retry_in_s=self._delay_s(error, failures + 1))
        return attempt

    def _examine(self, catalog: Manifest, ref: str, unpacked: Unpacked) -> None:
        """Have somebody look at new content, and tell of it once; nothing waits for that."""
        if (examiner := self._ports.examiner) is not None:
            tell = partial(self._ports.tidings.report, catalog, ref)
            examiner.examine(name_of(catalog), files=unpacked.files, tell=tell)

    async def _resolve(self, ref: str) -> str:
        try:
            digest = await self._ports.puller.resolve(ref)
            return str(Reference.parse(ref).pinned(digest))
        except OlmError as error:
            raise in_context("source catalog content", error) from error

    async def _has(self, name: str, ref: str) -> bool:
        snapshot = self._ports.store.snapshot(name)
        is_same = snapshot is not None and snapshot.digest == ref.rpartition("@")[2]
        return is_same and await asyncio.to_thread(self._ports.store.is_intact, name)

    def _delay_s(self, error: OlmError, failures: int) -> float:
        named = error.retry_after_s if isinstance(error, RetryableError) else None
        return _RETRIES.delay_s(failures, self._ports.draw) if named is None else named

    def _adopted(self, name: str, wanted: Wanted) -> Attempt | None:
        """What an earlier process knew, when its content was made from the reference that is still wanted."""
        snapshot = self._ports.store.snapshot(name)
        if snapshot is None or snapshot.manifest.source_ref != wanted.ref:
            return None
        factor = first_poll_factor(self._ports.draw())
        # Whether a look was asked for and not taken is not known any more: it costs one request to take it.
        known = replace(wanted, poll_now="")
        return Attempt(known, self._ports.clock(), factor, resolved_ref=snapshot.manifest.ref)

    def _served(self, name: str, attempt: Attempt) -> Served | None:
        snapshot = self._ports.store.snapshot(name)
        if snapshot is None:
            return None
        # The same digest may be known by another repository now.
        is_current = snapshot.digest == attempt.resolved_ref.rpartition("@")[2]
        ref = attempt.resolved_ref if is_current else snapshot.manifest.ref
        unpacked_at = datetime.fromtimestamp(snapshot.manifest.unpacked_at_s, UTC)
        return Served(ref, self._ports.base_url(name), unpacked_at)

    async def _withdraw(self, catalog: Manifest) -> Result:
        """Stop serving a catalog that is set to Unavailable or deleted. Rule: clustercatalog.md 8.1."""
        if is_deleting(catalog) and not has_finalizer(catalog):
            return Result()
        name = name_of(catalog)
        try:
            await self._forget(name)
        except OlmError as error:
            await self._write_status(catalog, Outcome(failure=error))
            raise
        why = Withdrawn.BY_DELETION if is_deleting(catalog) else Withdrawn.BY_USER
        written = await self._write_status(catalog, Outcome(withdrawn=why))
        # The finalizer goes last: whatever is interrupted before is done again.
        if patch := metadata_patch(written or catalog, is_held=False):
            await self._ports.client.patch(CLUSTER_CATALOGS, name, patch)
        return Result(outcome="withdrawn", is_notable=written is not None)

    async def _forget(self, name: str) -> None:
        self._attempts.pop(name, None)
        await asyncio.to_thread(self._ports.store.remove, name)

    async def _write_status(self, catalog: Manifest, seen: Outcome) -> Manifest | None:
        """The object after its status was written; `None` when it says all this already."""
        status = status_of(catalog, seen, datetime.now(UTC))
        if status == (catalog.get("status") or {}):
            return None
        return await self._ports.client.replace_status(CLUSTER_CATALOGS, {**catalog, "status": status})

    def _result(self, attempt: Attempt, *, is_looked_at: bool, is_notable: bool) -> Result:
        due_s = next_at_s(attempt.wanted, attempt)
        left_s = None if due_s is None else max(due_s - self._ports.clock(), 0.0)
        match attempt.failure:
            case TerminalError() as error if is_looked_at:
                return Result(left_s, error, outcome=error.reason, is_notable=is_notable)
            case OlmError() as error if is_looked_at:
                return Result(error=RetryableError(str(error), retry_after_s=left_s), outcome="Retrying")
            case _:
                return Result(left_s, is_notable=is_notable)


def _known(last: Attempt | None) -> Attempt:
    assert last is not None, "a catalog that was never looked at is due"
    return last


def _is_decided(last: Attempt, now: Attempt) -> bool:
    """Whether `last` found that this digest cannot be served, and nothing that could change that changed."""
    is_terminal = isinstance(last.failure, TerminalError)
    is_same = last.resolved_ref == now.resolved_ref and last.wanted.generation == now.wanted.generation
    return is_terminal and is_same and last.wanted.poll_now == now.wanted.poll_now
