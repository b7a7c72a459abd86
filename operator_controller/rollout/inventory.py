"""What a revision brought, found on the cluster: for one whose Secrets are lost. Rule: revisions.md 9 row 8.

Every kind that is served is listed once, metadata only, for objects with the owner label whose controller the revision
is. That costs some hundred requests, and nothing has to be kept for the rare set that needs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from olmv1.api.names import LABEL_OWNER_NAME, LABEL_REVISION_NAME
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Unreachable
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.manifests import Manifest, key_of, labels_of
from olmv1.telemetry.logs import get_logger
from operator_controller.revisions.ownership import CollisionProtection, is_controlled_by
from operator_controller.revisions.phases import sort_into_phases
from operator_controller.revisions.plan import Plan, PlannedObject, PlannedPhase

__all__ = ["Inventory"]

_AT_ONCE = 8

log = get_logger(__name__)


class Inventory:
    """Looks for the objects of revisions as the controller; remembers them as long as a revision lives."""

    def __init__(self, reader: KubeClient, discovery: Discovery) -> None:
        self._reader = reader
        self._discovery = discovery
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._plans: dict[str, Plan] = {}

    async def plan(self, owner_uid: str) -> Plan:
        """The objects that the revision controls, in phases by kind.

        Objects without the owner label are missing, but for CRDs, and those of kinds that cannot be listed now.

        Raises:
            RetryableError: the kinds, or CRDs, cannot be listed.
        """
        if owner_uid not in self._plans:
            resources = await self._resources()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._objects(resource, owner_uid)) for resource in resources]
            found = [task.result() for task in tasks]
            for failure in (each for each in found if isinstance(each, ApiError)):
                raise failure
            objects = [item for each in found if not isinstance(each, ApiError) for item in each]
            self._plans[owner_uid] = _plan_of(objects)
        return self._plans[owner_uid]

    def forget(self, owner_uid: str) -> None:
        """Drop what was found of a revision that is gone."""
        self._plans.pop(owner_uid, None)

    async def _resources(self) -> list[Resource]:
        """One for every kind that is served, in any of its versions."""
        kinds = {(group, kind): version for group, version, kind in sorted((await self._discovery.served()).kinds)}
        found = []
        for (group, kind), version in kinds.items():
            try:
                found.append(await self._discovery.resource_for(f"{group}/{version}" if group else version, kind))
            except NoSuchKind:
                continue  # gone since
        return found

    async def _objects(self, resource: Resource, owner_uid: str) -> list[Manifest] | ApiError:
        is_definition = resource.kind == CUSTOM_RESOURCE_DEFINITIONS.kind
        selector = "" if is_definition else LABEL_OWNER_NAME
        try:
            async with self._slots:
                listed = await self._reader.list(resource, label_selector=selector, metadata_only=True)
        except ApiError as error:
            if is_definition or isinstance(error, Unreachable):
                return error
            log.debug("kind not listed", kind=resource.kind, group=resource.group, problem=str(error))
            return []
        return [item for item in listed.items if is_controlled_by(item, owner_uid) and not _is_content(item)]


def _is_content(item: Manifest) -> bool:
    """Whether it is a Secret with objects of the revision, which goes with the revision itself."""
    return item["kind"] == "Secret" and LABEL_REVISION_NAME in labels_of(item)


def _plan_of(objects: Iterable[Manifest]) -> Plan:
    phases = [
        PlannedPhase(
            phase.name,
            "",
            tuple(PlannedObject(key_of(item), "", CollisionProtection.PREVENT, None) for item in phase.objects),
        )
        for phase in sort_into_phases(objects)
    ]
    return Plan(tuple(phases))
