"""One pass over a revision: its objects applied phase by phase, as its service account.

The next phase starts when every object of the present one is complete. A pass at rest makes no request: an object that
is what we made of it is left alone. Writes are server-side applies under deterministic names, so a crash after any of
them is healed by the next pass doing the same again. Rule: revisions.md 5, with 9 rows 1, 2, 22 and 23.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from olmv1.api.names import FIELD_MANAGER_OBJECTS
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, Forbidden, NotFound
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, is_deleting, uid_of
from operator_controller.certificates import Issued
from operator_controller.outcome.object_set import Action, ObjectReport, PhaseReport
from operator_controller.revisions.desired import as_applied
from operator_controller.revisions.ownership import Owner, Verdict, controller_of, decide, foreign_owners
from operator_controller.revisions.plan import Plan, PlannedObject
from operator_controller.revisions.probes import Probe, evaluate
from operator_controller.rollout.content import Contents
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.refusals import Refusals
from operator_controller.rollout.webhooks import Webhooks

__all__ = ["Engine", "Revision"]

_PARALLEL_OBJECTS = 6
"""Objects of one revision that are worked on at once, so that one large bundle does not crowd out the others."""

_PARALLEL_ALL = 32
"""Objects of all revisions that are worked on at once: bounds our load on the API server."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A ClusterObjectSet made ready for a pass: its plan, its place among its siblings, and who writes for it.

    An installed one has succeeded before: all its phases are kept in repair, also behind one that is unhealthy.
    `certificates` are filled into its objects; `None` when none of them wants any.
    """

    object_set: Manifest
    plan: Plan
    owner: Owner
    owner_label: str
    probes: tuple[Probe, ...]
    writer: KubeClient
    is_installed: bool
    certificates: Issued | None = None


@dataclass(frozen=True, slots=True)
class _Target:
    """One object of a pass with the resource behind it; the key has no namespace where the kind has none."""

    planned: PlannedObject
    resource: Resource

    @property
    def place(self) -> tuple[Resource, str, str]:
        return (self.resource, self.planned.key.namespace, self.planned.key.name)


@dataclass(slots=True)
class _Shared:
    """What all passes share."""

    reader: KubeClient
    discovery: Discovery
    observer: Observer
    contents: Contents
    webhooks: Webhooks
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_PARALLEL_ALL))
    # One writer per object at a time. All revisions share a field manager, so the API server would let the second of
    # two first writes overwrite the first; the lock is held over that one request and nothing that waits for others.
    writing: WeakValueDictionary[tuple[Resource, str, str], asyncio.Lock] = field(default_factory=WeakValueDictionary)


class Engine:
    """Applies revisions; reads as the controller, writes as the account of each revision."""

    def __init__(self, reader: KubeClient, discovery: Discovery, observer: Observer, contents: Contents) -> None:
        webhooks = Webhooks(reader, discovery, contents)
        self._shared = _Shared(reader, discovery, observer, contents, webhooks)
        self._refusals = Refusals()

    async def apply(self, revision: Revision) -> tuple[PhaseReport, ...]:
        """The reports of all phases that were reached.

        Raises:
            TerminalError: the stored content is not what it was.
            RetryableError: some object could not be applied; the message has one line per object. When the account
                was refused, the refusals of the later phases are in it too, found by dry-runs.
        """
        one_pass = _Pass(self._shared, revision)
        reports: list[PhaseReport] = []
        failures: list[OlmError] = []
        reached = 0
        for index, phase in enumerate(revision.plan.phases):
            results = await one_pass.work(phase.objects)
            reached = index
            failures += [result for result in results if isinstance(result, OlmError)]
            one_pass.is_hindered = bool(failures)
            report = PhaseReport(index, phase.name, tuple(r for r in results if isinstance(r, ObjectReport)))
            reports.append(report)
            if (failures or not report.is_complete) and not revision.is_installed:
                break
        if failures:
            raise await self._failure(one_pass, reached, failures)
        self._refusals.forget(revision.owner.uid)
        return tuple(reports)

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._refusals.forget(owner_uid)

    async def _failure(self, one_pass: _Pass, reached: int, failures: Sequence[OlmError]) -> OlmError:
        terminal = [failure for failure in failures if isinstance(failure, TerminalError)]
        if terminal:
            return terminal[0]
        revision, texts = one_pass.revision, tuple(str(failure) for failure in failures)
        lines = (*texts, *await self._shared.webhooks.advice(revision.object_set, revision.plan, texts))
        if not any(isinstance(failure.__cause__, Forbidden) for failure in failures):
            waits = [f.retry_after_s for f in failures if isinstance(f, RetryableError) and f.retry_after_s is not None]
            return RetryableError("\n".join(lines), retry_after_s=max(waits, default=None))
        uid = revision.owner.uid
        more = self._refusals.known(uid, lines)
        if more is None:
            later = [planned for phase in revision.plan.phases[reached + 1 :] for planned in phase.objects]
            more = await one_pass.dry_run(later)
        return RetryableError("\n".join((*lines, *more)), retry_after_s=self._refusals.remember(uid, lines, more))


class _Pass:
    """One pass over one revision."""

    def __init__(self, shared: _Shared, revision: Revision) -> None:
        self.revision = revision
        self.is_hindered = False  # some object of an earlier phase could not be written
        self._shared = shared
        self._slots = asyncio.Semaphore(_PARALLEL_OBJECTS)

    async def work(self, objects: Sequence[PlannedObject]) -> list[ObjectReport | OlmError]:
        """The report or the error of each object, in their order."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(planned)) for planned in objects]
        return [task.result() for task in tasks]

    async def dry_run(self, objects: Sequence[PlannedObject]) -> tuple[str, ...]:
        """The refusals that these objects would meet, so that the user reads all missing rights at once."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._refusal(planned)) for planned in objects]
        return tuple(line for task in tasks if (line := task.result()) is not None)

    async def _one(self, planned: PlannedObject) -> ObjectReport | OlmError:
        """The report for one object, or its error as a value, so that the others of the phase still go on."""
        try:
            target = await self._target(planned)
            await self._shared.observer.watch(self.revision.owner.uid, target.resource)
            async with self._slots, self._shared.slots:
                return await self._reconcile(target)
        except (ApiError, NoSuchKind) as error:
            failure = RetryableError(_text(planned, error), retry_after_s=error.retry_after_s)
            failure.__cause__ = error
            return failure
        except OlmError as error:
            return error

    async def _target(self, planned: PlannedObject) -> _Target:
        key = planned.key
        resource = await self._shared.discovery.resource_for(key.api_version, key.kind)
        if resource.namespaced and not key.namespace:
            raise RetryableError(
                _text(planned, RetryableError("metadata.namespace: Required value: must not be empty"))
            )
        if not resource.namespaced and key.namespace:
            planned = replace(planned, key=replace(key, namespace=""))
        return _Target(planned, resource)

    async def _reconcile(self, target: _Target) -> ObjectReport:
        owner, observer, planned = self.revision.owner, self._shared.observer, target.planned
        live = observer.live(target.resource, planned.key) or await self._metadata(target)
        if live is None:
            return await self._create(target)
        if is_deleting(live):
            return _waiting(target, live, "is being deleted")
        match decide(live, owner, planned.protection):
            case Verdict.OURS if observer.is_settled(target.resource, planned.key, owner.uid, self._digest(planned)):
                return await self._report(target, Action.IDLE, live)
            case Verdict.OURS | Verdict.ADOPT:
                return await self._take(target, live)
            case Verdict.PROGRESSED:
                return await self._report(target, Action.PROGRESSED, live)
            case Verdict.COLLISION:
                return self._collision(target, live)

    async def _metadata(self, target: _Target) -> Manifest | None:
        """What the watch cannot see: an object without our label. Also the fresh look before a first write."""
        key = target.planned.key
        try:
            return await self._shared.reader.get(target.resource, key.name, key.namespace or None, metadata_only=True)
        except NotFound:
            return None

    async def _create(self, target: _Target) -> ObjectReport:
        revision, body = self.revision, await self._body(target)
        plan, owner, is_hindered = revision.plan, revision.owner, self.is_hindered
        if (why := await self._shared.webhooks.why_wait(plan, owner, body, is_hindered=is_hindered)) is not None:
            return _waiting(target, {}, why)
        async with self._lock(target):
            if self._shared.observer.live(target.resource, target.planned.key) is not None:
                return _waiting(target, {}, "was created at the same time")
            applied = await revision.writer.apply(target.resource, body, field_manager=FIELD_MANAGER_OBJECTS)
            if _is_foreign(applied):
                return await self._give_back(target, applied)
            live = self._record(target, applied)
        return await self._report(target, Action.CREATED, live)

    async def _take(self, target: _Target, live: Manifest) -> ObjectReport:
        """Repair or adopt under an optimistic lock: nobody else may have changed the object since we decided.

        Without the lock a late repair of an old revision could take an object back from the new one.
        """
        body = await self._body(target, foreign_owners(live, self.revision.owner))
        lock = {"uid": uid_of(live), "resourceVersion": live["metadata"]["resourceVersion"]}
        locked = {**body, "metadata": {**body["metadata"], **lock}}
        writer, action = self.revision.writer, Action.UPDATED
        async with self._lock(target):
            try:
                applied = await writer.apply(target.resource, locked, field_manager=FIELD_MANAGER_OBJECTS)
            except Conflict as error:
                if not error.is_field_conflict:
                    return _waiting(target, live, "was changed at the same time")
                # Somebody else set a field of ours: take it back.
                action = Action.RECOVERED
                try:
                    applied = await writer.apply(
                        target.resource, locked, field_manager=FIELD_MANAGER_OBJECTS, force=True
                    )
                except Conflict:
                    return _waiting(target, live, "was changed at the same time")
            seen = self._record(target, applied)
        return await self._report(target, action, seen)

    async def _report(self, target: _Target, action: Action, live: Manifest) -> ObjectReport:
        probes = [probe for probe in self.revision.probes if probe.applies_to(live)]
        if any(probe.reads_spec for probe in probes):
            key = target.planned.key
            live = await self._shared.reader.get(target.resource, key.name, key.namespace or None)
        return ObjectReport(target.planned.key, action, evaluate(live, probes))

    def _collision(self, target: _Target, live: Manifest) -> ObjectReport:
        controller = controller_of(live)
        owner = "nil" if controller is None else f"{controller.get('kind')} {controller.get('name')}"
        probe = evaluate(live, self.revision.probes)
        return ObjectReport(target.planned.key, Action.COLLISION, probe, f"Conflicting Owner: {owner}")

    async def _give_back(self, target: _Target, applied: Manifest) -> ObjectReport:
        """Between our look and our write somebody created the object: drop what we set and report the collision."""
        identity = {key: applied[key] for key in ("apiVersion", "kind")}
        metadata = {key: applied["metadata"][key] for key in ("name", "namespace") if key in applied["metadata"]}
        empty = {**identity, "metadata": metadata}
        await self.revision.writer.apply(target.resource, empty, field_manager=FIELD_MANAGER_OBJECTS, force=True)
        return self._collision(target, {**applied, "metadata": {**applied["metadata"], "ownerReferences": []}})

    def _record(self, target: _Target, applied: Manifest) -> Mapping[str, Any]:
        owner, digest = self.revision.owner.uid, self._digest(target.planned)
        return self._shared.observer.record(target.resource, applied, owner, digest)

    def _digest(self, planned: PlannedObject) -> str:
        """Of the content and of the certificates in it: either one changed means that the object is sent again."""
        certificates = self.revision.certificates
        return planned.digest if certificates is None else planned.digest + certificates.stamp(planned)

    def _lock(self, target: _Target) -> asyncio.Lock:
        return self._shared.writing.setdefault(target.place, asyncio.Lock())

    async def _body(self, target: _Target, keep_owners: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        stored = await self._content(target.planned)
        if not target.resource.namespaced and "namespace" in stored["metadata"]:
            metadata = {key: value for key, value in stored["metadata"].items() if key != "namespace"}
            stored = {**stored, "metadata": metadata}
        return as_applied(stored, self.revision.owner, self.revision.owner_label, keep_owners)

    async def _content(self, planned: PlannedObject) -> Manifest:
        certificates = self.revision.certificates
        if certificates is not None and planned.place is None:
            return certificates.secret(planned)
        stored = await self._shared.contents.body(self.revision.object_set, planned)
        return stored if certificates is None else certificates.filled(planned, stored)

    async def _refusal(self, planned: PlannedObject) -> str | None:
        try:
            async with self._slots, self._shared.slots:
                target = await self._target(planned)
                body = await self._body(target)
                await self.revision.writer.apply(
                    target.resource, body, field_manager=FIELD_MANAGER_OBJECTS, force=True, dry_run=True
                )
        except Forbidden as error:
            return _text(planned, error)
        except OlmError:
            return None  # its namespace or kind does not exist yet: it gets its turn
        return None


def _waiting(target: _Target, live: Manifest, why: str) -> ObjectReport:
    return ObjectReport(target.planned.key, Action.WAITING, evaluate(live, ()), why)


def _text(planned: PlannedObject, error: OlmError) -> str:
    """What is said about an object that could not be applied. Rule: revisions.md 6.2."""
    key = planned.key
    return f"reconciling object: reconciling {key.api_version}, Kind={key.kind} {key.namespace}/{key.name}: {error}"


def _is_foreign(applied: Manifest) -> bool:
    """Whether another manager created the object before our apply did."""
    return any(
        entry.get("manager") != FIELD_MANAGER_OBJECTS and not entry.get("subresource")
        for entry in applied["metadata"].get("managedFields") or ()
    )
