"""The end of a ClusterExtension: everything is taken down in order, then it is let go. Rule: revisions.md 9 row 10.

Nothing happens before it is certain that nobody loses data by it, or that somebody wants it so. What was decided is
written on the revisions before the first of them is deleted; from then on they go by that, whatever crashes.
Rule: applying.md 10 row 12.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from olmv1.api.names import FINALIZER_CONTENT_MANAGER, FINALIZER_UNPACK_CACHE
from olmv1.errors import OlmError, TerminalError
from olmv1.kube.controller import Result
from olmv1.manifests import Manifest, annotations_of, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.reconcilers.extension_writes import ExtensionWrites
from operator_controller.reconcilers.losses import Losses
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.status.events import Transition
from operator_controller.status.extension import deletion_status, held_deletion_status, teardown_problems
from operator_controller.uninstall import asked_of, held_text, recount_s

__all__ = ["FINALIZERS", "Removal"]

log = get_logger(__name__)

FINALIZERS = (FINALIZER_UNPACK_CACHE, FINALIZER_CONTENT_MANAGER)
"""What we put on an extension before anything else, so that it cannot go without `Removal`."""

_TEARDOWN_RETRY_S = 2.0


class Removal:
    """Takes extensions down that are being deleted."""

    def __init__(self, ports: ExtensionPorts, writes: ExtensionWrites) -> None:
        self._ports = ports
        self._writes = writes
        self._losses = Losses(ports.client, ports.definitions)
        self._warned: dict[str, tuple[str, frozenset[Transition]]] = {}  # by name: UID, and what was told

    def forget(self, name: str) -> None:
        """Drop what is remembered of an extension that is gone."""
        self._warned.pop(name, None)

    async def step(self, ext: Manifest) -> Result:
        """One step of taking everything down that `ext` brought; writes its status at most once."""
        self._ports.checks.release(name_of(ext))
        finalizers = ext["metadata"].get("finalizers") or []
        if not set(FINALIZERS) & set(finalizers):
            return Result()
        waits = None if "orphan" in finalizers else await self._take_down(ext)
        if waits is not None:
            return waits
        is_there = await self._writes.finalizers(ext, [item for item in finalizers if item not in FINALIZERS])
        return Result(outcome="Removed", is_notable=is_there)

    async def _take_down(self, ext: Manifest) -> Result | None:
        """What is waited for; `None` when everything is gone that has to go."""
        name, revisions = name_of(ext), self._ports.revisions
        try:
            await self._warn_dependents(ext)
            started = time.monotonic()
            if held := await self._held(ext):
                return await self._wait_for_person(ext, held, recount_s(time.monotonic() - started))
            problems = teardown_problems(revisions.of(name), self._ports.now())
            remaining = await revisions.delete_all(name, asked_of(annotations_of(ext)))
        except OlmError as failure:
            return replace(await self._wait_for_teardown(ext, (str(failure),)), error=failure)
        return await self._wait_for_teardown(ext, problems) if remaining else None

    async def _held(self, ext: Manifest) -> str:
        """Why nothing may be deleted yet; empty when it may.

        Counted until the revisions know what becomes of their objects: from then on there is no way back.
        """
        try:
            asked = asked_of(annotations_of(ext))
        except TerminalError as error:
            return str(error)
        revisions, name = self._ports.revisions, name_of(ext)
        if asked is not None or not revisions.has_undecided(name):
            return ""
        return held_text(await self._losses.of({uid_of(item) for item in revisions.of(name)}))

    async def _warn_dependents(self, ext: Manifest) -> None:
        """Tell both sides, once, who loses what it needs: a deletion cannot be refused. Rule: dependencies.md 8."""
        name, uid = name_of(ext), uid_of(ext)
        known_uid, known = self._warned.get(name, (uid, frozenset[Transition]()))
        try:
            losses = await self._ports.checks.losses(name, await self._ports.platform.served())
        except Exception as problem:  # what cannot be told, whyever, must not hold up the deletion
            bug = None if isinstance(problem, OlmError) else problem
            log.warning("dependents not warned", problem=str(problem), exc_info=bug)
            return
        told = frozenset(Transition("Warning", "DependentsBroken", f"deletion breaks {loss.text}") for loss in losses)
        if known_uid == uid:
            told -= known
        for event in sorted(told, key=lambda each: each.message):
            self._writes.emit(ext, event, "Delete")
        for loss in losses if told else ():
            dependent = self._ports.extensions.get(loss.extension)
            if dependent is not None:
                text = f'ClusterExtension "{name}" is being deleted: bundle "{loss.bundle}" requires {loss.requirement}'
                self._writes.emit(dependent, Transition("Warning", "DependencyRemoved", text), "Delete")
        self._warned[name] = (uid, (known | told) if known_uid == uid else told)

    async def _wait_for_person(self, ext: Manifest, text: str, pause_s: float) -> Result:
        """Say in the status what the person has to decide.

        An annotation is told by the watch; looking again finds that the objects are gone.
        """
        is_changed = await self._writes.status(ext, held_deletion_status(ext, text, self._ports.now()))
        return Result(requeue_after_s=pause_s, outcome="Blocked", is_notable=is_changed)

    async def _wait_for_teardown(self, ext: Manifest, problems: Sequence[str]) -> Result:
        """Look again soon, and say in the status what it hangs on."""
        status = deletion_status(ext, problems, self._ports.now()) if problems else dict(ext.get("status") or {})
        is_changed = await self._writes.status(ext, status)
        return Result(requeue_after_s=_TEARDOWN_RETRY_S, outcome="Deleting", is_notable=is_changed)
