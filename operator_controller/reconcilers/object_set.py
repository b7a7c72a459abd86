"""One pass over a ClusterObjectSet: apply it, take it down when it is archived or deleted. Rule: revisions.md 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from olmv1.api.names import (
    FINALIZER_TEARDOWN,
    LABEL_OWNER_NAME,
)
from olmv1.conditions import status_patch
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Result
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.events import EventRecorder
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, is_deleting, labels_of, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.outcome.object_set import Action, ObjectSetOutcome
from operator_controller.revisions.deadline import deadline_of, is_overdue
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.plan import Plan
from operator_controller.revisions.probes import parse_probes
from operator_controller.revisions.view import account_of, is_torn_down, missing_account
from operator_controller.rollout.content import Contents
from operator_controller.rollout.engine import Engine, Revision
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.revisions import BY_OWNER, Revisions
from operator_controller.rollout.teardown import Remains, Teardown
from operator_controller.status.object_set import object_set_status

__all__ = ["ObjectSetPorts", "ObjectSetReconciler"]

_COLLISION_RETRY_S = 10.0
_WAITING_RETRY_S = 1.0

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ObjectSetPorts:
    """What the reconciler of revisions acts through."""

    client: KubeClient
    sets: Cache
    revisions: Revisions
    contents: Contents
    observer: Observer
    engine: Engine
    teardown: Teardown
    events: EventRecorder
    allow_unscoped: bool
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


class ObjectSetReconciler:
    """Moves revisions; `reconcile` is the function of the work queue."""

    def __init__(self, ports: ObjectSetPorts) -> None:
        self._ports = ports

    async def reconcile(self, name: str) -> Result:
        """One pass over the set `name`; writes its status at most once."""
        ports = self._ports
        object_set = ports.sets.get(name)
        if object_set is None:
            return Result()
        if is_deleting(object_set):
            return await self._delete(object_set)
        if is_torn_down(object_set):
            ports.observer.release(uid_of(object_set))
            return await self._drop_finalizer(object_set)
        if object_set["spec"]["lifecycleState"] == "Active":
            await self._ensure_finalizer(object_set)
        seen = await self._advance(object_set)
        await self._write_status(object_set, seen)
        if seen.is_complete and not seen.is_torn_down and not seen.is_tearing_down:
            await self._archive_older(object_set)
        return _result(object_set, seen, ports.now())

    async def _advance(self, object_set: Manifest) -> ObjectSetOutcome:
        """What one pass over a set that is not being deleted brings about; never raises `OlmError`."""
        seen = ObjectSetOutcome(is_overdue=is_overdue(object_set, self._ports.now()))
        try:
            writer = self._writer(object_set)
            plan = await self._ports.contents.plan(object_set)
            digests = tuple((phase.name, phase.digest) for phase in plan.phases)
            seen = replace(seen, observed_phases=digests, phase_count=len(plan.phases))
            if object_set["spec"]["lifecycleState"] == "Archived":
                return await self._archive(object_set, plan, writer, seen)
            return replace(seen, phases=await self._ports.engine.apply(self._revision(object_set, plan, writer)))
        except OlmError as failure:
            return replace(seen, failure=failure)

    def _writer(self, object_set: Manifest) -> KubeClient:
        """The client that writes for a revision: its account, or the controller where that is allowed.

        Raises:
            TerminalError: the set names no account and may not act as the controller. Rule: architecture section 3.
        """
        account = account_of(object_set)
        if account is not None:
            return self._ports.client.as_service_account(*account)
        owned = any(
            reference.get("kind") == "ClusterExtension" and reference.get("controller")
            for reference in object_set["metadata"].get("ownerReferences") or ()
        )
        if owned and self._ports.allow_unscoped:
            return self._ports.client
        raise TerminalError(missing_account(object_set))

    def _revision(self, object_set: Manifest, plan: Plan, writer: KubeClient) -> Revision:
        label = labels_of(object_set).get(LABEL_OWNER_NAME, "")
        siblings = {
            uid_of(item): int(item["spec"]["revision"])
            for item in self._siblings(object_set)
            if item["spec"]["lifecycleState"] == "Active"
        }
        owner = Owner(name_of(object_set), uid_of(object_set), int(object_set["spec"]["revision"]), siblings)
        probes = parse_probes(object_set["spec"].get("progressionProbes") or ())
        return Revision(object_set, plan, owner, label, probes, writer)

    def _siblings(self, object_set: Manifest) -> Sequence[Manifest]:
        label = labels_of(object_set).get(LABEL_OWNER_NAME, "")
        if not label:
            return ()
        return [item for item in self._ports.sets.by_index(BY_OWNER, label) if uid_of(item) != uid_of(object_set)]

    async def _archive_older(self, object_set: Manifest) -> None:
        """A complete revision takes over from all lower ones. Rule: revisions.md 6.5."""
        number = int(object_set["spec"]["revision"])
        for item in self._siblings(object_set):
            if int(item["spec"]["revision"]) < number and item["spec"]["lifecycleState"] == "Active":
                await self._ports.revisions.archive(name_of(item))
                log.info("revision archived", revision=name_of(item), successor=name_of(object_set))

    async def _archive(
        self, object_set: Manifest, plan: Plan, writer: KubeClient, seen: ObjectSetOutcome
    ) -> ObjectSetOutcome:
        remains = await self._ports.teardown.remove(uid_of(object_set), plan, writer)
        if remains.waiting:
            return replace(seen, is_tearing_down=True)
        if remains.refusals:
            # The account may not delete: without us as finalizer, garbage collection finishes by owner references.
            self._say_refused(object_set, remains)
            await self._drop_finalizer(object_set)
            await self._ports.revisions.delete(object_set)
        return replace(seen, is_torn_down=True)

    async def _delete(self, object_set: Manifest) -> Result:
        """Take down a set that is being deleted, then let it go; never held up by a missing account or Secret."""
        uid = uid_of(object_set)
        if FINALIZER_TEARDOWN in object_set["metadata"].get("finalizers") or ():
            remains = await self._take_down(object_set)
            if remains.waiting:
                return Result(requeue_after_s=_WAITING_RETRY_S)
            if remains.refusals:
                self._say_refused(object_set, remains)
        self._ports.observer.release(uid)
        self._ports.contents.forget(uid)
        return await self._drop_finalizer(object_set)

    async def _take_down(self, object_set: Manifest) -> Remains:
        if "orphan" in object_set["metadata"].get("finalizers") or () or is_torn_down(object_set):
            return Remains()
        try:
            writer = self._writer(object_set)
            plan = await self._ports.contents.plan(object_set)
        except (TerminalError, RetryableError) as error:
            if _may_heal(error):
                raise
            return Remains(refusals=(str(error),))
        return await self._ports.teardown.remove(uid_of(object_set), plan, writer)

    def _say_refused(self, object_set: Manifest, remains: Remains) -> None:
        text = "left to garbage collection: " + "; ".join(remains.refusals)
        self._ports.events.emit(object_set, type_="Warning", reason="TeardownRefused", message=text, action="Teardown")

    async def _ensure_finalizer(self, object_set: Manifest) -> None:
        finalizers = object_set["metadata"].get("finalizers") or []
        if FINALIZER_TEARDOWN not in finalizers:
            await self._patch_finalizers(object_set, [*finalizers, FINALIZER_TEARDOWN])

    async def _drop_finalizer(self, object_set: Manifest) -> Result:
        finalizers = object_set["metadata"].get("finalizers") or []
        if FINALIZER_TEARDOWN in finalizers:
            await self._patch_finalizers(object_set, [item for item in finalizers if item != FINALIZER_TEARDOWN])
        return Result()

    async def _patch_finalizers(self, object_set: Manifest, finalizers: list[str]) -> None:
        version = object_set["metadata"]["resourceVersion"]
        patch = {"metadata": {"finalizers": finalizers, "resourceVersion": version}}
        try:
            await self._ports.client.patch(CLUSTER_OBJECT_SETS, name_of(object_set), patch)
        except NotFound:
            return

    async def _write_status(self, object_set: Manifest, seen: ObjectSetOutcome) -> None:
        status = object_set_status(object_set, seen, self._ports.now())
        patch = status_patch(object_set.get("status") or {}, status)
        if patch is None:
            return
        try:
            await self._ports.client.patch(CLUSTER_OBJECT_SETS, name_of(object_set), patch, subresource="status")
        except NotFound:
            return


def _may_heal(error: BaseException) -> bool:
    """Whether content could not be read for a passing reason; a Secret that is gone or changed will not come back."""
    while error.__cause__ is not None:
        error = error.__cause__
    return isinstance(error, ApiError) and not isinstance(error, NotFound)


def _result(object_set: Manifest, seen: ObjectSetOutcome, now: datetime) -> Result:
    """When to look again without an event. Rule: revisions.md 6.3."""
    waits = []
    if seen.is_tearing_down:
        waits.append(_WAITING_RETRY_S)
    actions = {report.action for phase in seen.phases for report in phase.objects}
    if Action.COLLISION in actions:
        waits.append(_COLLISION_RETRY_S)
    if Action.WAITING in actions:
        waits.append(_WAITING_RETRY_S)
    deadline = deadline_of(object_set)
    if deadline is not None and not seen.is_complete and deadline > now:
        waits.append((deadline - now).total_seconds())
    return Result(requeue_after_s=min(waits, default=None), error=seen.failure)
