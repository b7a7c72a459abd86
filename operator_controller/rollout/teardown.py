"""Removing what a revision still controls: webhooks, then the last phase first. Rule: revisions.md 6.5.

Objects that another revision took over stay. Deletes act as the account of the revision; where it is refused the caller
lets go of the revision, and the owner references let garbage collection finish.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, Forbidden, NotFound
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, ObjectKey, is_deleting, uid_of
from operator_controller.revisions.ownership import is_controlled_by, is_kept
from operator_controller.revisions.plan import Plan, PlannedObject

__all__ = ["Remains", "Teardown"]

_PARALLEL_OBJECTS = 12


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left after a pass: objects that are on their way out, and the refusals of the API server."""

    waiting: tuple[ObjectKey, ...] = ()
    refusals: tuple[str, ...] = ()


class Teardown:
    """Deletes the objects of revisions; remembers which phases are gone already."""

    def __init__(self, reader: KubeClient, discovery: Discovery) -> None:
        self._reader = reader
        self._discovery = discovery
        self._slots = asyncio.Semaphore(_PARALLEL_OBJECTS)
        self._gone: dict[str, int] = {}

    async def remove(self, owner_uid: str, plan: Plan, writer: KubeClient) -> Remains:
        """One pass in the order of `Plan.removal`; stops at the first phase whose objects are not all gone yet.

        A refused object does not hold up the others: the refusals are returned when everything else is gone.

        Raises:
            RetryableError: the API server could not be asked, or failed, for some object of a phase.
        """
        refusals: list[str] = []
        phases = plan.removal
        for index in range(self._gone.get(owner_uid, 0), len(phases)):
            phase = phases[index]
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(owner_uid, planned, writer)) for planned in phase.objects]
            results = [task.result() for task in tasks]
            for failure in (result for result in results if isinstance(result, ApiError)):
                raise failure
            refused = [result for result in results if isinstance(result, str)]
            refusals += refused
            waiting = tuple(
                planned.key for planned, result in zip(phase.objects, results, strict=True) if result is True
            )
            if waiting:
                return Remains(waiting, tuple(refusals))
            if not refusals:
                self._gone[owner_uid] = index + 1
        return Remains((), tuple(refusals))

    async def kept(self, owner_uid: str, plan: Plan) -> tuple[ObjectKey, ...]:
        """The objects that ask to stay and still are the revision's: garbage collection would take them with it.

        Raises:
            RetryableError: the API server could not be asked about one.
        """
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._is_kept(owner_uid, planned)) for planned in plan.objects]
        for failure in (found for task in tasks if isinstance(found := task.result(), ApiError)):
            raise failure
        return tuple(planned.key for planned, task in zip(plan.objects, tasks, strict=True) if task.result())

    async def _is_kept(self, owner_uid: str, planned: PlannedObject) -> bool | ApiError:
        key = planned.key
        try:
            async with self._slots:
                resource = await self._discovery.resource_for(key.api_version, key.kind)
                namespace = key.namespace if resource.namespaced else None
                live = await self._reader.get(resource, key.name, namespace, metadata_only=True)
        except (NotFound, NoSuchKind):
            return False
        except ApiError as error:
            return error
        return is_kept(live) and is_controlled_by(live, owner_uid)

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._gone.pop(owner_uid, None)

    async def _one(self, owner_uid: str, planned: PlannedObject, writer: KubeClient) -> bool | str | ApiError:
        """Whether the object is still to be waited for, why the account may not delete it, or what failed."""
        key = planned.key
        try:
            async with self._slots:
                resource = await self._discovery.resource_for(key.api_version, key.kind)
                if resource.namespaced and not key.namespace:
                    return False  # such an object cannot exist
                return await self._delete(owner_uid, resource, planned, writer)
        except (NotFound, NoSuchKind):
            return False
        except Conflict:
            return True  # it changed since we looked: look again
        except Forbidden as error:
            return str(error)
        except ApiError as error:
            return error

    async def _delete(self, owner_uid: str, resource: Resource, planned: PlannedObject, writer: KubeClient) -> bool:
        name, namespace = planned.key.name, planned.key.namespace if resource.namespaced else None
        live = await self._reader.get(resource, name, namespace, metadata_only=True)
        if is_kept(live) or not is_controlled_by(live, owner_uid):
            return await self._let_go(owner_uid, resource, live, writer)
        if not is_deleting(live):
            version = live["metadata"].get("resourceVersion")
            await writer.delete(resource, name, namespace, uid=uid_of(live), resource_version=version)
        return True

    async def _let_go(self, owner_uid: str, resource: Resource, live: Manifest, writer: KubeClient) -> bool:
        """Take our reference off an object that stays or is another's now, or it would be collected with us."""
        metadata = live["metadata"]
        references = metadata.get("ownerReferences") or []
        kept = [reference for reference in references if reference.get("uid") != owner_uid]
        if len(kept) < len(references):
            patch = {"metadata": {"ownerReferences": kept, "resourceVersion": metadata.get("resourceVersion")}}
            await writer.patch(resource, metadata["name"], patch, namespace=metadata.get("namespace"))
        return False
