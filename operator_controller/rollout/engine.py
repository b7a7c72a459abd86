"""One pass over a revision: its objects applied phase by phase, as its service account.

The next phase starts when every object of the present one is complete. A pass at rest makes no request: an object that
is what we made of it is left alone. Writes are server-side applies under deterministic names, so a crash after any of
them is healed by the next pass doing the same again. Rule: revisions.md 5, with 9 rows 1, 2, 22 and 23.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import FIELD_MANAGER_OBJECTS
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, Forbidden, NotFound
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, is_deleting
from operator_controller.outcome.object_set import Action, ObjectReport, PhaseReport
from operator_controller.revisions.desired import as_applied
from operator_controller.revisions.ownership import Owner, Verdict, controller_of, decide, foreign_owners
from operator_controller.revisions.plan import Plan, PlannedObject
from operator_controller.revisions.probes import Probe, evaluate
from operator_controller.rollout.content import Contents
from operator_controller.rollout.observe import Observer

__all__ = ["Engine", "Revision"]

_PARALLEL_WRITES = 6
"""Objects of one phase that are written at once, so that one large bundle does not crowd out the others."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A ClusterObjectSet made ready for a pass: its plan, its place among its siblings, and who writes for it."""

    object_set: Manifest
    plan: Plan
    owner: Owner
    owner_label: str
    probes: tuple[Probe, ...]
    writer: KubeClient


class Engine:
    """Applies revisions; reads as the controller, writes as the account of each revision."""

    def __init__(self, reader: KubeClient, discovery: Discovery, observer: Observer, contents: Contents) -> None:
        self._reader = reader
        self._discovery = discovery
        self._observer = observer
        self._contents = contents
        self._slots = asyncio.Semaphore(_PARALLEL_WRITES)

    async def apply(self, revision: Revision) -> tuple[PhaseReport, ...]:
        """The reports of all phases that were reached.

        Raises:
            TerminalError: the stored content is not what it was.
            RetryableError: some object could not be applied; the message has one line per object. When the account
                was refused, the refusals of the later phases are in it too, found by dry-runs.
        """
        reports: list[PhaseReport] = []
        for index, phase in enumerate(revision.plan.phases):
            results = await self._all(revision, phase.objects)
            failures = [result for result in results if isinstance(result, OlmError)]
            if failures:
                raise await self._failure(revision, index, failures)
            report = PhaseReport(index, phase.name, tuple(r for r in results if isinstance(r, ObjectReport)))
            reports.append(report)
            if not report.is_complete:
                break
        return tuple(reports)

    async def _all(self, revision: Revision, objects: Sequence[PlannedObject]) -> list[ObjectReport | OlmError]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(revision, planned)) for planned in objects]
        return [task.result() for task in tasks]

    async def _one(self, revision: Revision, planned: PlannedObject) -> ObjectReport | OlmError:
        """The report for one object, or its error as a value, so that the others of the phase still go on."""
        try:
            resource = await self._discovery.resource_for(planned.key.api_version, planned.key.kind)
            await self._observer.watch(revision.owner.uid, [resource])
            return await self._reconcile(revision, planned, resource)
        except (ApiError, NoSuchKind) as error:
            failure = RetryableError(_text(planned, error), retry_after_s=error.retry_after_s)
            failure.__cause__ = error
            return failure
        except OlmError as error:
            return error

    async def _reconcile(self, revision: Revision, planned: PlannedObject, resource: Resource) -> ObjectReport:
        owner, key = revision.owner, planned.key
        live = self._observer.live(resource, key) or await self._metadata(resource, planned)
        if live is None:
            return await self._create(revision, planned, resource)
        if is_deleting(live):
            return ObjectReport(key, Action.WAITING, evaluate(live, ()), "is being deleted")
        match decide(live, owner, planned.protection):
            case Verdict.OURS if self._observer.is_settled(resource, key, owner.uid, planned.digest):
                return await self._report(revision, planned, resource, Action.IDLE, live)
            case Verdict.OURS:
                return await self._repair(revision, planned, resource)
            case Verdict.ADOPT:
                return await self._adopt(revision, planned, resource, live)
            case Verdict.PROGRESSED:
                return await self._report(revision, planned, resource, Action.PROGRESSED, live)
            case Verdict.COLLISION:
                return self._collision(revision, planned, live)

    async def _metadata(self, resource: Resource, planned: PlannedObject) -> Manifest | None:
        """What the watch cannot see: an object without our label. Also the fresh look before a first write."""
        try:
            return await self._reader.get(resource, planned.key.name, planned.key.namespace or None, metadata_only=True)
        except NotFound:
            return None

    async def _create(self, revision: Revision, planned: PlannedObject, resource: Resource) -> ObjectReport:
        body = await self._body(revision, planned)
        async with self._slots:
            applied = await revision.writer.apply(resource, body, field_manager=FIELD_MANAGER_OBJECTS)
        if _is_foreign(applied):
            return await self._give_back(revision, planned, resource, applied)
        live = self._observer.record(resource, applied, revision.owner.uid, planned.digest)
        return await self._report(revision, planned, resource, Action.CREATED, live)

    async def _repair(self, revision: Revision, planned: PlannedObject, resource: Resource) -> ObjectReport:
        body = await self._body(revision, planned)
        action = Action.UPDATED
        async with self._slots:
            try:
                applied = await revision.writer.apply(resource, body, field_manager=FIELD_MANAGER_OBJECTS)
            except Conflict:
                # Somebody else set a field of ours: take it back.
                action = Action.RECOVERED
                applied = await revision.writer.apply(resource, body, field_manager=FIELD_MANAGER_OBJECTS, force=True)
        live = self._observer.record(resource, applied, revision.owner.uid, planned.digest)
        return await self._report(revision, planned, resource, action, live)

    async def _adopt(
        self, revision: Revision, planned: PlannedObject, resource: Resource, live: Manifest
    ) -> ObjectReport:
        """Take an object over under an optimistic lock: nobody else may have changed it since we decided."""
        body = await self._body(revision, planned, foreign_owners(live, revision.owner))
        locked = {**body, "metadata": {**body["metadata"], "resourceVersion": live["metadata"]["resourceVersion"]}}
        async with self._slots:
            try:
                applied = await revision.writer.apply(resource, locked, field_manager=FIELD_MANAGER_OBJECTS, force=True)
            except Conflict:
                # The watch is about to tell what changed; the next pass decides anew.
                return ObjectReport(planned.key, Action.WAITING, evaluate(live, ()), "was changed at the same time")
        seen = self._observer.record(resource, applied, revision.owner.uid, planned.digest)
        return await self._report(revision, planned, resource, Action.UPDATED, seen)

    async def _report(
        self, revision: Revision, planned: PlannedObject, resource: Resource, action: Action, live: Manifest
    ) -> ObjectReport:
        probes = [probe for probe in revision.probes if probe.applies_to(live)]
        if any(probe.reads_spec for probe in probes):
            live = await self._reader.get(resource, planned.key.name, planned.key.namespace or None)
        return ObjectReport(planned.key, action, evaluate(live, probes))

    def _collision(self, revision: Revision, planned: PlannedObject, live: Manifest) -> ObjectReport:
        controller = controller_of(live)
        owner = "nil" if controller is None else f"{controller.get('kind')} {controller.get('name')}"
        detail = f"Conflicting Owner: {owner}"
        return ObjectReport(planned.key, Action.COLLISION, evaluate(live, revision.probes), detail)

    async def _give_back(
        self, revision: Revision, planned: PlannedObject, resource: Resource, applied: Manifest
    ) -> ObjectReport:
        """Between our look and our write somebody created the object: drop what we set and report the collision."""
        identity = {key: applied[key] for key in ("apiVersion", "kind")}
        metadata = {key: applied["metadata"][key] for key in ("name", "namespace") if key in applied["metadata"]}
        await revision.writer.apply(
            resource, {**identity, "metadata": metadata}, field_manager=FIELD_MANAGER_OBJECTS, force=True
        )
        return self._collision(
            revision, planned, {**applied, "metadata": {**applied["metadata"], "ownerReferences": []}}
        )

    async def _body(
        self, revision: Revision, planned: PlannedObject, keep_owners: Sequence[Mapping[str, Any]] = ()
    ) -> dict[str, Any]:
        stored = await self._contents.body(revision.object_set, planned)
        return as_applied(stored, revision.owner, revision.owner_label, keep_owners)

    async def _failure(self, revision: Revision, index: int, failures: Sequence[OlmError]) -> OlmError:
        terminal = [failure for failure in failures if isinstance(failure, TerminalError)]
        if terminal:
            return terminal[0]
        lines = [str(failure) for failure in failures]
        refused = any(isinstance(failure.__cause__, Forbidden) for failure in failures)
        if refused:
            for phase in revision.plan.phases[index + 1 :]:
                results = await asyncio.gather(*(self._dry_run(revision, planned) for planned in phase.objects))
                lines.extend(line for line in results if line is not None)
        waits = [f.retry_after_s for f in failures if isinstance(f, RetryableError) and f.retry_after_s is not None]
        return RetryableError("\n".join(lines), retry_after_s=max(waits, default=None))

    async def _dry_run(self, revision: Revision, planned: PlannedObject) -> str | None:
        """The refusal that this object would meet, so that the user reads all missing rights at once."""
        key = planned.key
        try:
            resource = await self._discovery.resource_for(key.api_version, key.kind)
            body = await self._body(revision, planned)
            async with self._slots:
                await revision.writer.apply(
                    resource, body, field_manager=FIELD_MANAGER_OBJECTS, force=True, dry_run=True
                )
        except Forbidden as error:
            return _text(planned, error)
        except OlmError:
            return None  # its namespace or kind does not exist yet: it gets its turn
        return None


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
