"""Removing what a revision still controls: webhooks, then the last phase first. Rule: revisions.md 6.5.

Objects that another revision took over stay, and those that the person wants to keep: these are let go of before
anything is deleted. Deletes act as the account of the revision; where it is refused the caller lets go of the revision,
and the owner references let garbage collection finish.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import EXTRAS_PREFIX
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, Forbidden, NotFound
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.manifests import Manifest, ObjectKey, is_deleting, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.revisions.ownership import is_controlled_by, is_kept
from operator_controller.revisions.plan import Plan, PlannedObject
from operator_controller.uninstall import OnDelete, letting_go, taking_off

__all__ = ["Remains", "Teardown"]

_PARALLEL_OBJECTS = 12
_STAYING = 0
"""The first step of `_steps`."""
_URGE_S = 5.0
_FORGOTTEN_S = 600.0
_URGED = f"{EXTRAS_PREFIX}asked-again"

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left after a pass: objects that are on their way out, and the refusals of the API server."""

    waiting: tuple[ObjectKey, ...] = ()
    refusals: tuple[str, ...] = ()


class Teardown:
    """Deletes the objects of revisions; remembers which phases are gone already."""

    def __init__(self, reader: KubeClient, discovery: Discovery, clock: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self.discovery = discovery
        self._slots = asyncio.Semaphore(_PARALLEL_OBJECTS)
        self._gone: dict[tuple[str, OnDelete], int] = {}
        self._clock = clock
        self._urged: dict[str, float] = {}  # UID of a CRD on its way out: when it was seen first, or touched last

    async def remove(self, owner_uid: str, plan: Plan, writer: KubeClient, on_delete: OnDelete) -> Remains:
        """One pass: what stays is let go of, then the rest is deleted in the order of `Plan.removal`.

        Stops at the first phase whose objects are not all gone yet. A refused object does not hold up the others: the
        refusals are returned when everything else is gone. But nothing is deleted while something that stays cannot be
        let go of.

        Raises:
            RetryableError: the API server could not be asked, or failed, for some object of a phase.
        """
        refusals: list[str] = []
        for index, objects in enumerate(_steps(plan, on_delete)):
            if index < self._gone.get((owner_uid, on_delete), 0):
                continue
            waiting, refused = await self._pass(owner_uid, objects, writer, on_delete)
            refusals += refused
            if waiting or (refused and index == _STAYING):
                return Remains(waiting, tuple(refusals))
            if not refusals:
                self._gone[owner_uid, on_delete] = index + 1
        return Remains((), tuple(refusals))

    async def kept(self, owner_uid: str, plan: Plan, on_delete: OnDelete) -> tuple[ObjectKey, ...]:
        """The objects that are to stay and still are the revision's: garbage collection would take them with it.

        Raises:
            RetryableError: the API server could not be asked about one.
        """
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._is_kept(owner_uid, planned, on_delete)) for planned in plan.objects]
        for failure in (found for task in tasks if isinstance(found := task.result(), ApiError)):
            raise failure
        return tuple(planned.key for planned, task in zip(plan.objects, tasks, strict=True) if task.result())

    async def _pass(
        self, owner_uid: str, objects: Sequence[PlannedObject], writer: KubeClient, on_delete: OnDelete
    ) -> tuple[tuple[ObjectKey, ...], list[str]]:
        """What of `objects` is still to be waited for, and why the account may not touch the others."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(owner_uid, planned, writer, on_delete)) for planned in objects]
        results = [task.result() for task in tasks]
        for failure in (result for result in results if isinstance(result, ApiError)):
            raise failure
        waiting = tuple(planned.key for planned, result in zip(objects, results, strict=True) if result is True)
        return waiting, [result for result in results if isinstance(result, str)]

    async def _is_kept(self, owner_uid: str, planned: PlannedObject, on_delete: OnDelete) -> bool | ApiError:
        key = planned.key
        try:
            async with self._slots:
                resource = await self.discovery.resource_for(key.api_version, key.kind)
                namespace = key.namespace if resource.namespaced else None
                live = await self._reader.get(resource, key.name, namespace, metadata_only=True)
        except (NotFound, NoSuchKind):
            return False
        except ApiError as error:
            return error
        return (on_delete.keeps(key) or is_kept(live)) and is_controlled_by(live, owner_uid)

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._gone = {key: index for key, index in self._gone.items() if key[0] != owner_uid}
        self._urged = {uid: since for uid, since in self._urged.items() if self._clock() - since < _FORGOTTEN_S}

    async def _one(
        self, owner_uid: str, planned: PlannedObject, writer: KubeClient, on_delete: OnDelete
    ) -> bool | str | ApiError:
        """Whether the object is still to be waited for, why the account may not delete it, or what failed."""
        key = planned.key
        try:
            async with self._slots:
                resource = await self.discovery.resource_for(key.api_version, key.kind)
                if resource.namespaced and not key.namespace:
                    return False  # such an object cannot exist
                namespace = key.namespace if resource.namespaced else None
                live = await self._reader.get(resource, key.name, namespace, metadata_only=True)
                if on_delete.keeps(key):
                    return await self._patch(resource, live, letting_go(live, owner_uid), writer)
                if is_kept(live) or not is_controlled_by(live, owner_uid):
                    return await self._patch(resource, live, taking_off(live, owner_uid), writer)
                return await self._delete(resource, live, writer)
        except (NotFound, NoSuchKind):
            return False
        except Conflict:
            return True  # it changed since we looked: look again
        except Forbidden as error:
            return str(error)
        except ApiError as error:
            return error

    async def _delete(self, resource: Resource, live: Manifest, writer: KubeClient) -> bool:
        if is_deleting(live):
            await self._urge(resource, live, writer)
        else:
            metadata, version = live["metadata"], live["metadata"].get("resourceVersion")
            await writer.delete(
                resource, name_of(live), metadata.get("namespace"), uid=uid_of(live), resource_version=version
            )
        return True

    async def _urge(self, resource: Resource, live: Manifest, writer: KubeClient) -> None:
        """Touch a CRD that does not go.

        The API server deletes its objects first, fails when the kind was changed a moment ago ("storage is
        (re)initializing"), and then waits longer from try to try, minutes in the end; a change makes it try at once.
        """
        if resource.kind != CUSTOM_RESOURCE_DEFINITIONS.kind:
            return
        now, uid = self._clock(), uid_of(live)
        last = self._urged.setdefault(uid, now)
        if now - last < _URGE_S:
            return
        self._urged[uid] = now
        log.info("definition does not go, asking again", definition=name_of(live))
        patch = {"metadata": {"annotations": {_URGED: live["metadata"].get("resourceVersion")}}}
        with suppress(ApiError):  # an attempt to help; the deletion itself is under way
            await writer.patch(resource, name_of(live), patch)

    async def _patch(
        self, resource: Resource, live: Manifest, patch: Mapping[str, Any] | None, writer: KubeClient
    ) -> bool:
        """Take our reference off an object that stays or is another's now, or it would be collected with us."""
        if patch is not None:
            await writer.patch(resource, name_of(live), patch, namespace=live["metadata"].get("namespace"))
        return False


def _steps(plan: Plan, on_delete: OnDelete) -> Iterator[tuple[PlannedObject, ...]]:
    """What stays, at once; then what goes, phase by phase."""
    yield tuple(planned for planned in plan.objects if on_delete.keeps(planned.key))
    for phase in plan.removal:
        yield tuple(planned for planned in phase.objects if not on_delete.keeps(planned.key))
