"""One pass over a ClusterObjectSet: apply it, or take it down when it is archived or deleted. Rule: revisions.md 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from olmv1.api.names import FINALIZER_TEARDOWN
from olmv1.api.vocabulary import Reason
from olmv1.conditions import condition_of, is_true, status_patch
from olmv1.errors import OlmError, TerminalError
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Result
from olmv1.kube.errors import NotFound
from olmv1.kube.events import EventRecorder
from olmv1.kube.latest import Latest
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, annotations_of, is_deleting, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.outcome.object_set import Action, ObjectSetOutcome
from operator_controller.reconcilers.retirement import Retirement
from operator_controller.reconcilers.writers import Writers
from operator_controller.revisions.deadline import is_overdue, next_deadline
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.probes import parse_probes
from operator_controller.revisions.view import extension_of, family_of, is_torn_down
from operator_controller.rollout.authorities import Authorities
from operator_controller.rollout.content import Contents
from operator_controller.rollout.engine import Engine
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.pass_inputs import Revision
from operator_controller.rollout.pods import Pods
from operator_controller.rollout.revisions import BY_OWNER, Revisions
from operator_controller.rollout.teardown import Teardown
from operator_controller.status.object_set import object_set_status
from operator_controller.target import is_paused

__all__ = ["ObjectSetPorts", "ObjectSetReconciler"]

_COLLISION_RETRY_S = 10.0
_WAITING_RETRY_S = 1.0
_BLOCKED_RETRY_S = 60.0
"""Nothing tells of a Secret that a person's set refers to. Rule: revisions.md 9 row 9."""
_LONGEST_WAIT_S = 6 * 3600.0
"""A clock that was set, or a machine that slept, must not let certificates run out."""
_TEARDOWN_RETRY_S = 3.0
"""Deletions are told by the watch; this finds the ones that it missed."""

_REPAIRS = frozenset({Action.CREATED, Action.UPDATED, Action.RECOVERED})

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ObjectSetPorts:
    """What the reconciler of revisions acts through; `extensions`, `sets` and `accounts` are watches.

    `drifted` is told the name of an extension and how many of its objects had to be put right.
    """

    client: KubeClient
    extensions: Cache
    sets: Cache
    accounts: Cache
    revisions: Revisions
    contents: Contents
    observer: Observer
    engine: Engine
    pods: Pods
    teardown: Teardown
    events: EventRecorder
    allow_unscoped: bool
    drifted: Callable[[str, int], None]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


class ObjectSetReconciler:
    """Moves revisions; `reconcile` is the function of the work queue."""

    def __init__(self, ports: ObjectSetPorts) -> None:
        self._ports = ports
        self._writers = Writers(ports.client, ports.accounts, ports.allow_unscoped)
        self._retirement = Retirement(ports.client, self._writers, ports.contents, ports.teardown)
        self._authorities = Authorities(ports.client, ports.observer, ports.contents.system_namespace, ports.now)
        self._latest = Latest()
        self._uids: dict[str, str] = {}

    async def reconcile(self, name: str) -> Result:
        """One pass over the set `name`; writes its status at most once."""
        object_set = self._ports.sets.get(name)
        self._follow(name, object_set)
        if object_set is None:
            self._latest.forget(name)
            return Result()
        object_set = self._latest.of(object_set)
        if is_deleting(object_set) or object_set["spec"]["lifecycleState"] == "Archived":
            return await self._retire(object_set)
        if not await self._ensure_finalizer(object_set):
            return Result()
        seen = await self._with_pods(object_set, await self._advance(object_set))
        self._count_drift(object_set, seen)
        is_written = await self._write_status(object_set, seen)
        if seen.is_complete and (is_true(object_set, "Succeeded") or not seen.is_handed_over):
            await self._archive_older(object_set)
        return _result(object_set, seen, self._ports.now(), is_written=is_written)

    async def _advance(self, object_set: Manifest) -> ObjectSetOutcome:
        """What one pass over an active set brings about; never raises `OlmError`."""
        if self._is_paused(object_set):
            return ObjectSetOutcome(is_paused=True)
        seen = ObjectSetOutcome(is_overdue=is_overdue(object_set, self._ports.now()))
        try:
            writer = self._writers.writer_for(object_set)
            plan = await self._ports.contents.plan(object_set)
            digests = tuple((phase.name, phase.digest) for phase in plan.phases)
            seen = replace(seen, observed_phases=digests, phase_count=len(plan.phases))
            certificates = await self._authorities.issued(object_set, plan)
            seen = replace(seen, look_at=None if certificates is None else certificates.look_at)
            revision = Revision(
                object_set=object_set,
                plan=plan,
                owner=self._owner(object_set),
                owner_label=(family_of(object_set) or ("", ""))[1],
                probes=parse_probes(object_set["spec"].get("progressionProbes") or ()),
                writer=writer,
                is_installed=is_true(object_set, "Succeeded"),
                certificates=certificates,
            )
            applied = await self._ports.engine.apply(revision)
            return self._confirmed(revision, replace(seen, phases=applied.phases, failure=applied.failure))
        except OlmError as failure:
            return replace(seen, failure=failure)

    async def _with_pods(self, object_set: Manifest, seen: ObjectSetOutcome) -> ObjectSetOutcome:
        """`seen` with what the pods of unhealthy workloads say; whatever hides their health hides the pods too."""
        if seen.failure is not None or seen.is_paused:
            return seen
        keys = [report.key for report in seen.failing if report.action not in (Action.COLLISION, Action.WAITING)]
        is_old = (condition_of(object_set, "Available") or {}).get("reason") == Reason.PROBE_FAILURE
        told = await self._ports.pods.report(uid_of(object_set), keys, is_old=is_old)
        return replace(seen, pods=told.texts, ask_pods_in_s=told.look_in_s)

    def _count_drift(self, object_set: Manifest, seen: ObjectSetOutcome) -> None:
        """Objects that a revision had to write again after it had succeeded, for an extension."""
        extension = extension_of(object_set)
        count = sum(report.action in _REPAIRS for phase in seen.phases for report in phase.objects)
        if extension is not None and count and is_true(object_set, "Succeeded"):
            self._ports.drifted(extension, count)

    def _confirmed(self, revision: Revision, seen: ObjectSetOutcome) -> ObjectSetOutcome:
        """`seen`, looking again at once when a new authority can take over now that everybody trusts it."""
        certificates = revision.certificates
        if certificates is None or revision.owner.siblings or seen.failure is not None:
            return seen
        object_set, plan = revision.object_set, revision.plan
        is_due = self._authorities.confirm(object_set, certificates, plan, seen.phases)
        return replace(seen, look_at=self._ports.now()) if is_due else seen

    async def _retire(self, object_set: Manifest) -> Result:
        """Take an archived or deleted set down, then let it go."""
        uid = uid_of(object_set)
        finalizers = object_set["metadata"].get("finalizers") or ()
        if is_torn_down(object_set) and FINALIZER_TEARDOWN not in finalizers:
            return Result()
        seen, refusals = ObjectSetOutcome(), tuple[str, ...]()
        try:
            if FINALIZER_TEARDOWN in finalizers or not is_deleting(object_set):
                seen, refusals = await self._retirement.step(object_set, seen)
        except OlmError as failure:
            seen = replace(seen, failure=failure)
        is_leaving = is_deleting(object_set) and not seen.is_tearing_down and seen.failure is None
        if not is_leaving:
            await self._write_status(object_set, seen)
        if seen.is_tearing_down or seen.failure is not None:
            return Result(requeue_after_s=_TEARDOWN_RETRY_S if seen.failure is None else None, error=seen.failure)
        self._ports.observer.release(uid)
        self._ports.pods.forget(uid)
        self._retirement.forget(uid)
        if refusals:
            text = "left to garbage collection: " + "; ".join(refusals)
            self._say(object_set, "TeardownRefused", text)
        await self._drop_finalizer(object_set)
        if refusals and not is_deleting(object_set):
            # Only the deletion of the set makes garbage collection take its objects.
            await self._ports.revisions.delete(object_set)
        return Result(is_notable=True, outcome="TornDown")

    def _follow(self, name: str, object_set: Manifest | None) -> None:
        """Forget what is kept of a set that is gone, also when another one has its name now."""
        uid = uid_of(object_set) if object_set is not None else None
        before = self._uids.get(name)
        if before is not None and before != uid:
            self._ports.observer.release(before)
            self._ports.pods.forget(before)
            self._ports.engine.forget(before)
            self._retirement.forget(before)
            self._authorities.forget(before)
            del self._uids[name]
        if uid is not None:
            self._uids[name] = uid

    def _is_paused(self, object_set: Manifest) -> bool:
        """Whether a person paused the set, or its extension."""
        extension = self._ports.extensions.get(extension_of(object_set) or "")
        return any(is_paused(annotations_of(item)) for item in (object_set, extension) if item is not None)

    def _owner(self, object_set: Manifest) -> Owner:
        siblings = {
            uid_of(item): int(item["spec"]["revision"])
            for item in self._siblings(object_set)
            if item["spec"]["lifecycleState"] == "Active"
        }
        return Owner(name_of(object_set), uid_of(object_set), int(object_set["spec"]["revision"]), siblings)

    def _siblings(self, object_set: Manifest) -> Sequence[Manifest]:
        family = family_of(object_set)
        if family is None:
            return ()
        named = self._ports.sets.by_index(BY_OWNER, family[1])
        return [item for item in named if uid_of(item) != uid_of(object_set) and family_of(item) == family]

    async def _archive_older(self, object_set: Manifest) -> None:
        """A complete revision takes over from all lower ones. Rule: revisions.md 6.5."""
        number = int(object_set["spec"]["revision"])
        for item in self._siblings(object_set):
            if int(item["spec"]["revision"]) < number and item["spec"]["lifecycleState"] == "Active":
                await self._ports.revisions.archive(name_of(item))
                log.info("revision archived", revision=name_of(item), successor=name_of(object_set))

    def _say(self, object_set: Manifest, reason: str, message: str) -> None:
        self._ports.events.emit(object_set, type_="Warning", reason=reason, message=message, action="Teardown")

    async def _ensure_finalizer(self, object_set: Manifest) -> bool:
        """Whether the set is still there, and cannot go without our work."""
        finalizers = object_set["metadata"].get("finalizers") or []
        if FINALIZER_TEARDOWN in finalizers:
            return True
        version = object_set["metadata"]["resourceVersion"]
        patch = {"metadata": {"finalizers": [*finalizers, FINALIZER_TEARDOWN], "resourceVersion": version}}
        try:
            await self._ports.client.patch(CLUSTER_OBJECT_SETS, name_of(object_set), patch)
        except NotFound:
            return False
        return True

    async def _drop_finalizer(self, object_set: Manifest) -> None:
        finalizers = object_set["metadata"].get("finalizers") or []
        if FINALIZER_TEARDOWN not in finalizers:
            return
        # No resource version: our own status write a moment ago must not stand in the way. The tests keep the
        # finalizers of others, and the set of somebody else, safe.
        place = f"/metadata/finalizers/{finalizers.index(FINALIZER_TEARDOWN)}"
        patch = [
            {"op": "test", "path": "/metadata/uid", "value": uid_of(object_set)},
            {"op": "test", "path": place, "value": FINALIZER_TEARDOWN},
            {"op": "remove", "path": place},
        ]
        try:
            await self._ports.client.patch(CLUSTER_OBJECT_SETS, name_of(object_set), patch)
        except NotFound:
            return

    async def _write_status(self, object_set: Manifest, seen: ObjectSetOutcome) -> bool:
        """Whether the status differed and was written."""
        status = object_set_status(object_set, seen, self._ports.now())
        patch = status_patch(object_set.get("status") or {}, status)
        if patch is None:
            return False
        try:
            written = await self._ports.client.patch(
                CLUSTER_OBJECT_SETS, name_of(object_set), patch, subresource="status"
            )
        except NotFound:
            return False
        self._latest.note(written)
        return True


def _result(object_set: Manifest, seen: ObjectSetOutcome, now: datetime, *, is_written: bool) -> Result:
    """When to look again without an event. Rule: revisions.md 6.3."""
    waits = []
    actions = {report.action for phase in seen.phases for report in phase.objects}
    if Action.COLLISION in actions:
        waits.append(_COLLISION_RETRY_S)
    if Action.WAITING in actions:
        waits.append(_WAITING_RETRY_S)
    waits += [r.look_again_s for phase in seen.phases for r in phase.objects if r.look_again_s is not None]
    if seen.ask_pods_in_s is not None:
        waits.append(seen.ask_pods_in_s)
    if seen.look_at is not None:
        waits.append(min(_LONGEST_WAIT_S, max(0.0, (seen.look_at - now).total_seconds())))
    if isinstance(seen.failure, TerminalError):
        waits.append(_BLOCKED_RETRY_S)
    deadline = next_deadline(object_set, (phase.name for phase in seen.phases), now)
    if deadline is not None and not seen.is_complete and deadline > now:
        waits.append((deadline - now).total_seconds())
    before = (condition_of(object_set, "Progressing") or {}).get("reason")
    outcome = "Complete" if seen.is_complete else str(before or "RollingOut")
    return Result(requeue_after_s=min(waits, default=None), error=seen.failure, outcome=outcome, is_notable=is_written)
