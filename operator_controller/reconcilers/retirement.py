"""The end of a revision: taken down when it is archived or deleted, then let go. Rule: revisions.md 6.5.

Not held up by an account, a right or a Secret that went first: then garbage collection finishes by owner references.
But for objects that are to be kept: garbage collection would take them, so they wait for the account. And a revision of
an extension that is being deleted waits until it is known what becomes of its objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from olmv1.api.names import FINALIZER_CONTENT_MANAGER
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import Manifest, ObjectKey, annotations_of, is_deleting, uid_of
from operator_controller.outcome.object_set import ObjectSetOutcome
from operator_controller.reconcilers.writers import MissingAccountError, Writers
from operator_controller.revisions.ownership import controller_of
from operator_controller.revisions.plan import Plan
from operator_controller.revisions.view import is_torn_down
from operator_controller.rollout.content import Contents
from operator_controller.rollout.inventory import Inventory
from operator_controller.rollout.teardown import Remains, Teardown
from operator_controller.uninstall import OnDelete, asked_of

__all__ = ["Retirement"]

_UNDECIDED_RETRY_S = 3.0
_LISTED_OBJECTS = 20
_ORPHAN = "orphan"
"""Finalizer of the API server: garbage collection takes the owner references off."""


class Retirement:
    """Takes revisions down; reads as the controller."""

    def __init__(self, reader: KubeClient, writers: Writers, contents: Contents, teardown: Teardown) -> None:
        self._reader = reader
        self._writers = writers
        self._contents = contents
        self._teardown = teardown
        self._inventory = Inventory(reader, teardown.discovery)

    async def step(self, object_set: Manifest, seen: ObjectSetOutcome) -> tuple[ObjectSetOutcome, tuple[str, ...]]:
        """One step of taking `object_set` down, and why the account could not finish it.

        Raises:
            TerminalError: what becomes of its objects is said in words that nobody knows.
            RetryableError: the API server could not be asked, or that is not said yet.
        """
        remains = await self._remove(object_set)
        if remains.waiting:
            return replace(seen, is_tearing_down=True, waiting_for=remains.waiting), ()
        return replace(seen, is_torn_down=True), remains.refusals

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._contents.forget(owner_uid)
        self._teardown.forget(owner_uid)
        self._inventory.forget(owner_uid)

    async def _remove(self, object_set: Manifest) -> Remains:
        if is_torn_down(object_set):
            return Remains()
        on_delete = asked_of(annotations_of(object_set)) if is_deleting(object_set) else OnDelete.CASCADE
        if _ORPHAN in _finalizers(object_set):
            if on_delete is not OnDelete.ORPHAN:
                return Remains()
        elif on_delete is None:
            await self._require_decision(object_set)
        on_delete = on_delete or OnDelete.CASCADE
        plan, lost = await self._plan(object_set)
        try:
            writer = self._writers.writer_for(object_set)
        except (MissingAccountError, TerminalError) as error:
            remains = Remains(refusals=(str(error),))
        else:
            remains = await self._teardown.remove(uid_of(object_set), plan, writer, on_delete)
        remains = replace(remains, refusals=(*lost, *remains.refusals))
        await self._require_free(object_set, plan, on_delete, remains)
        return remains

    async def _plan(self, object_set: Manifest) -> tuple[Plan, tuple[str, ...]]:
        """What the set consists of, and why that is only what was found of it on the cluster.

        Rule: revisions.md 9 row 8.
        """
        try:
            return await self._contents.plan(object_set), ()
        except OlmError as error:
            if isinstance(error, RetryableError) and _may_heal(error):
                raise
            return await self._inventory.plan(uid_of(object_set)), (str(error),)

    async def _require_decision(self, object_set: Manifest) -> None:
        """Garbage collection deletes the sets of an extension that is deleted in the foreground before we do.

        Raises:
            RetryableError: the extension of the set is being deleted, and a person may want to keep something.
        """
        owner = controller_of(object_set)
        if owner is None or owner.get("kind") != CLUSTER_EXTENSIONS.kind:
            return
        try:
            ext = await self._reader.get(CLUSTER_EXTENSIONS, str(owner.get("name")), metadata_only=True)
        except NotFound:
            return
        finalizers = _finalizers(ext)
        is_ending = is_deleting(ext) and uid_of(ext) == owner.get("uid")
        if is_ending and FINALIZER_CONTENT_MANAGER in finalizers and _ORPHAN not in finalizers:
            raise RetryableError(
                f'ClusterExtension "{owner.get("name")}" is being deleted, and it is not decided yet what becomes of '
                "its objects",
                retry_after_s=_UNDECIDED_RETRY_S,
            )

    async def _require_free(self, object_set: Manifest, plan: Plan, on_delete: OnDelete, remains: Remains) -> None:
        """Raises RetryableError when what is left to garbage collection is to be kept."""
        if remains.waiting or not remains.refusals or _ORPHAN in _finalizers(object_set):
            return
        kept = await self._teardown.kept(uid_of(object_set), plan, on_delete)
        if kept:
            reasons = "; ".join(remains.refusals)
            raise RetryableError(f"{_listed(kept)}: is to be kept, and the revision cannot let go of it: {reasons}")


def _finalizers(obj: Manifest) -> Sequence[str]:
    return obj["metadata"].get("finalizers") or ()


def _listed(keys: Sequence[ObjectKey]) -> str:
    shown = ", ".join(map(str, keys[:_LISTED_OBJECTS]))
    return f"{shown} and {len(keys) - _LISTED_OBJECTS} more" if len(keys) > _LISTED_OBJECTS else shown


def _may_heal(error: BaseException | None) -> bool:
    """Whether content could not be read for a passing reason; a Secret that is gone or changed will not come back."""
    while error is not None:
        if isinstance(error, ApiError) and not isinstance(error, NotFound):
            return True
        error = error.__cause__
    return False
