"""One pass over the objects of a revision: a phase dry-run, then written, each object by what is known of it.

Used by the engine only. Writes are server-side applies under deterministic names, so a crash after any of them is
healed by the next pass doing the same again. Rule: revisions.md 5, with 9 rows 1, 2, 22 and 23.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from olmv1.api.names import FIELD_MANAGER_OBJECTS
from olmv1.errors import OlmError, RetryableError
from olmv1.kube.discovery import NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, NotFound
from olmv1.manifests import Manifest, is_deleting, uid_of
from operator_controller.outcome.object_set import Action, ObjectReport
from operator_controller.revisions.collisions import way_out
from operator_controller.revisions.desired import as_applied
from operator_controller.revisions.ownership import Verdict, controller_of, decide, foreign_owners
from operator_controller.revisions.plan import PlannedObject
from operator_controller.revisions.probes import ProbeResult, Truth
from operator_controller.revisions.rivals import contested_text, rivals_of
from operator_controller.revisions.view import extension_of
from operator_controller.rollout.disputes import Spot
from operator_controller.rollout.pass_inputs import Revision, Shared, Target

__all__ = ["OnePass", "refusal_text"]

_PARALLEL_OBJECTS = 6
"""Objects of one revision that are worked on at once, so that one large bundle does not crowd out the others."""

_UNDECIDED_S = 30.0
"""When a rule that could not be decided is tried again, in case nothing changes."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """What came of sending an object: its slim form, and who else had set fields of ours."""

    action: Action
    live: Mapping[str, Any]
    rivals: tuple[str, ...]


class OnePass:
    """One pass over one revision."""

    def __init__(self, shared: Shared, revision: Revision) -> None:
        self.revision = revision
        self.is_hindered = False  # some object of an earlier phase could not be written
        self.shared = shared
        self._slots = asyncio.Semaphore(_PARALLEL_OBJECTS)
        self._looks: dict[Spot, Manifest | None] = {}

    async def work(self, objects: Sequence[PlannedObject]) -> list[ObjectReport | OlmError]:
        """The report or the error of each object, in their order."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(planned)) for planned in objects]
        return [task.result() for task in tasks]

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Held while one object is worked on."""
        async with self._slots, self.shared.slots:
            yield

    async def target(self, planned: PlannedObject) -> Target:
        """The object with its resource.

        Raises:
            NoSuchKind, ApiError: the kind is not served, or that cannot be asked.
            RetryableError: it has no namespace and needs one.
        """
        key = planned.key
        resource = await self.shared.discovery.resource_for(key.api_version, key.kind)
        if resource.namespaced and not key.namespace:
            finding = RetryableError("metadata.namespace: Required value: must not be empty")
            raise RetryableError(refusal_text(planned, finding))
        if not resource.namespaced and key.namespace:
            planned = replace(planned, key=replace(key, namespace=""))
        return Target(planned, resource)

    async def watched(self, planned: PlannedObject) -> Target:
        """The object with its resource, which is watched from now on.

        Raises:
            NoSuchKind, ApiError, RetryableError: as `target`; also when it cannot be watched.
        """
        target = await self.target(planned)
        await self.shared.observer.watch(self.revision.owner.uid, target.resource)
        return target

    async def look(self, target: Target) -> Manifest | None:
        """The object as it is known, asked for where the watch cannot see it: it may lack our label.

        What a dry-run of this pass has asked is not asked again: a write finds out when it has changed since.
        """
        live = self.shared.observer.live(target.resource, target.planned.key)
        if live is not None:
            return live
        if target.spot not in self._looks:
            key = target.planned.key
            try:
                found = await self.shared.reader.get(
                    target.resource, key.name, key.namespace or None, metadata_only=True
                )
            except NotFound:
                found = None
            self._looks[target.spot] = found
        return self._looks[target.spot]

    def saw_nothing(self, target: Target) -> None:
        """A dry-run of this pass found that the object does not exist."""
        self._looks[target.spot] = None

    async def body(self, target: Target, keep_owners: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """The object as it is sent."""
        stored = await self._content(target.planned)
        if not target.resource.namespaced and "namespace" in stored["metadata"]:
            metadata = {key: value for key, value in stored["metadata"].items() if key != "namespace"}
            stored = {**stored, "metadata": metadata}
        return as_applied(stored, self.revision.owner, self.revision.owner_label, keep_owners)

    def digest(self, planned: PlannedObject) -> str:
        """Of the content and of the certificates in it: either one changed means that the object is sent again."""
        certificates = self.revision.certificates
        return planned.digest if certificates is None else planned.digest + certificates.stamp(planned)

    async def _one(self, planned: PlannedObject) -> ObjectReport | OlmError:
        """The report for one object, or its error as a value, so that the others of the phase still go on."""
        try:
            target = await self.watched(planned)
            async with self.slot():
                return await self._reconcile(target)
        except (ApiError, NoSuchKind) as error:
            failure = RetryableError(refusal_text(planned, error), retry_after_s=error.retry_after_s)
            failure.__cause__ = error
            return failure
        except OlmError as error:
            return error

    async def _reconcile(self, target: Target) -> ObjectReport:
        owner, observer, planned = self.revision.owner, self.shared.observer, target.planned
        live = await self.look(target)
        if live is None:
            return await self._create(target)
        if is_deleting(live):
            return _waiting(target, "is being deleted")
        match decide(live, owner, planned.protection):
            case Verdict.OURS if observer.is_settled(target.resource, planned.key, owner.uid, self.digest(planned)):
                return await self._report(target, Action.IDLE, live)
            case Verdict.OURS:
                return await self._repair(target, live)
            case Verdict.ADOPT:
                return await self._adopt(target, live)
            case Verdict.PROGRESSED:
                return await self._report(target, Action.PROGRESSED, live)
            case Verdict.COLLISION:
                return await self._collision(target, live)

    async def _create(self, target: Target) -> ObjectReport:
        revision, body = self.revision, await self.body(target)
        plan, owner, is_hindered = revision.plan, revision.owner, self.is_hindered
        if (why := await self.shared.webhooks.why_wait(plan, owner, body, is_hindered=is_hindered)) is not None:
            return _waiting(target, why)
        async with self._lock(target):
            if self.shared.observer.live(target.resource, target.planned.key) is not None:
                return _waiting(target, "was created at the same time")
            applied = await revision.writer.apply(target.resource, body, field_manager=FIELD_MANAGER_OBJECTS)
            if _is_foreign(applied):
                return await self._give_back(target, applied)
            live = self._record(target, applied)
        return await self._report(target, Action.CREATED, live)

    async def _repair(self, target: Target, live: Manifest) -> ObjectReport:
        """Send an object of ours again; more and more rarely when somebody keeps changing it."""
        disputes, uid = self.shared.disputes, self.revision.owner.uid
        if disputes.pause_s(uid, target.spot) > 0:
            return await self._report(target, Action.IDLE, live)
        sent = await self._send(target, live)
        if sent is None:
            return _waiting(target, "was changed at the same time")
        if sent.live["metadata"].get("resourceVersion") == live["metadata"]["resourceVersion"]:
            # As it should be: this process had not made it, and so did not know.
            return await self._report(target, Action.IDLE, sent.live)
        disputes.repaired(uid, target.spot, sent.rivals)
        return await self._report(target, sent.action, sent.live)

    async def _adopt(self, target: Target, live: Manifest) -> ObjectReport:
        """Take an object over; from a stranger only once, or two revisions that may would take it in turns."""
        disputes, owner, controller = self.shared.disputes, self.revision.owner, controller_of(live)
        is_seizure = controller is not None and controller.get("uid") not in owner.siblings
        if is_seizure and not disputes.may_seize(owner.uid, target.spot):
            return await self._collision(target, live)
        sent = await self._send(target, live)
        if sent is None:
            return _waiting(target, "was changed at the same time")
        if is_seizure:
            disputes.seized(owner.uid, target.spot)
        return await self._report(target, sent.action, sent.live)

    async def _send(self, target: Target, live: Manifest) -> _Sent | None:
        """Apply under an optimistic lock: nobody else may have changed the object since we decided, else `None`.

        Without the lock a late repair of an old revision could take an object back from the new one.
        """
        body = await self.body(target, foreign_owners(live, self.revision.owner))
        lock = {"uid": uid_of(live), "resourceVersion": live["metadata"]["resourceVersion"]}
        locked = {**body, "metadata": {**body["metadata"], **lock}}
        action, rivals, resource = Action.UPDATED, tuple[str, ...](), target.resource
        async with self._lock(target):
            try:
                applied = await self.revision.writer.apply(resource, locked, field_manager=FIELD_MANAGER_OBJECTS)
            except Conflict as error:
                if not error.is_field_conflict:
                    return None
                # Somebody else set a field of ours: take it back.
                action, rivals = Action.RECOVERED, rivals_of(error.details.get("causes") or ())
                try:
                    applied = await self.revision.writer.apply(
                        resource, locked, field_manager=FIELD_MANAGER_OBJECTS, force=True
                    )
                except Conflict:
                    return None
            return _Sent(action, self._record(target, applied), rivals)

    async def _report(self, target: Target, action: Action, live: Manifest) -> ObjectReport:
        disputes, uid, key = self.shared.disputes, self.revision.owner.uid, target.planned.key
        probe = await self.shared.judging.judge(uid, target.spot, live, self.revision.probes)
        rivals = disputes.rivals(uid, target.spot)
        if rivals is not None and action is not Action.PROGRESSED:
            wait_s = disputes.wait_s(uid, target.spot)
            return ObjectReport(key, action, probe, contest=contested_text(rivals), look_again_s=wait_s)
        is_undecided = probe.truth is Truth.UNKNOWN and any(each.has_rules for each in self.revision.probes)
        return ObjectReport(key, action, probe, look_again_s=_UNDECIDED_S if is_undecided else None)

    async def _collision(self, target: Target, live: Manifest) -> ObjectReport:
        judging, uid = self.shared.judging, self.revision.owner.uid
        probe = await judging.judge(uid, target.spot, live, self.revision.probes)
        detail = await judging.collision(uid, target.spot, live, await self.body(target))
        if controller_of(live) is None:
            detail = f"{detail}\n{way_out(extension_of(self.revision.object_set))}"
        return ObjectReport(target.planned.key, Action.COLLISION, probe, detail)

    async def _give_back(self, target: Target, applied: Manifest) -> ObjectReport:
        """Between our look and our write somebody created the object: drop what we set and report the collision."""
        identity = {key: applied[key] for key in ("apiVersion", "kind")}
        metadata = {key: applied["metadata"][key] for key in ("name", "namespace") if key in applied["metadata"]}
        empty = {**identity, "metadata": metadata}
        await self.revision.writer.apply(target.resource, empty, field_manager=FIELD_MANAGER_OBJECTS, force=True)
        return await self._collision(target, {**applied, "metadata": {**applied["metadata"], "ownerReferences": []}})

    def _record(self, target: Target, applied: Manifest) -> Mapping[str, Any]:
        owner, digest = self.revision.owner.uid, self.digest(target.planned)
        return self.shared.observer.record(target.resource, applied, owner, digest)

    def _lock(self, target: Target) -> asyncio.Lock:
        return self.shared.writing.setdefault(target.spot, asyncio.Lock())

    async def _content(self, planned: PlannedObject) -> Manifest:
        certificates = self.revision.certificates
        if certificates is not None and planned.place is None:
            return certificates.secret(planned)
        stored = await self.shared.contents.body(self.revision.object_set, planned)
        return stored if certificates is None else certificates.filled(planned, stored)


def refusal_text(planned: PlannedObject, error: OlmError, doing: str = "reconciling") -> str:
    """What is said about an object that could not be applied. Rule: revisions.md 5.2, 6.2."""
    key = planned.key
    return f"reconciling object: {doing} {key.api_version}, Kind={key.kind} {key.namespace}/{key.name}: {error}"


def _waiting(target: Target, why: str) -> ObjectReport:
    return ObjectReport(target.planned.key, Action.WAITING, ProbeResult(Truth.TRUE), why)


def _is_foreign(applied: Manifest) -> bool:
    """Whether another manager created the object before our apply did."""
    return any(
        entry.get("manager") != FIELD_MANAGER_OBJECTS and not entry.get("subresource")
        for entry in applied["metadata"].get("managedFields") or ()
    )
