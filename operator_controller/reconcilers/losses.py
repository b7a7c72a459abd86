"""Counts what the deletion of an extension would destroy. Reads as the controller. Rule: applying.md 10 row 12."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.manifests import Manifest, name_of
from operator_controller.crd_safety import ObjectsToRead, objects_to_read
from operator_controller.reconcilers.definitions import DefinitionChecks
from operator_controller.uninstall import Loss, is_brought, is_doomed

__all__ = ["Losses"]

_AT_ONCE = 4
_MOST_OBJECTS = 10_000
"""Of one kind; beyond it nobody wants to know the number."""
_MOST_NAMES = 5


class Losses:
    """Looks at the objects of the kinds that would go; `definitions` knows these kinds."""

    def __init__(self, client: KubeClient, definitions: DefinitionChecks) -> None:
        self._client = client
        self._definitions = definitions

    async def of(self, owners: Collection[str]) -> tuple[Loss, ...]:
        """One for every CRD that would go with the revisions with these UIDs, by name, also when it has no objects.

        Objects that these revisions brought themselves are none.

        Raises:
            RetryableError: a CRD cannot be read. Objects that cannot be read are a loss.
        """
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(name: str) -> Loss | None:
            async with slots:
                return await self._of_definition(name, owners)

        found = await asyncio.gather(*(one(name) for name in self._definitions.doomed(owners)))
        return tuple(loss for loss in found if loss is not None)

    async def _of_definition(self, name: str, owners: Collection[str]) -> Loss | None:
        try:
            definition = await self._client.get(CUSTOM_RESOURCE_DEFINITIONS, name)
        except NotFound:
            return None
        if not is_doomed(definition, owners):
            return None
        wanted = await asyncio.to_thread(objects_to_read, definition, None)
        if wanted is None:
            return Loss(name, _kind_of(definition), problem="no version is served")
        try:
            return await self._counted(name, wanted, owners)
        except NotFound:
            return Loss(name, wanted.kind)  # not served: nothing can have been stored through it
        except ApiError as error:
            return Loss(name, wanted.kind, problem=str(error))

    async def _counted(self, name: str, wanted: ObjectsToRead, owners: Collection[str]) -> Loss:
        resource = Resource(wanted.group, wanted.version, wanted.plural, wanted.kind, wanted.is_namespaced)
        nothing: Mapping[str, str] = {}
        count, names = 0, list[str]()
        async for page in self._client.pages(resource, query=nothing, metadata_only=True):
            strange = [item for item in page.items if not is_brought(item, owners)]
            names += [_place_of(item) for item in strange[: _MOST_NAMES - len(names)]]
            count += len(strange)
            if count > _MOST_OBJECTS:
                return Loss(name, wanted.kind, _MOST_OBJECTS, tuple(names), is_complete=False)
        return Loss(name, wanted.kind, count, tuple(names))


def _kind_of(definition: Manifest) -> str:
    return str((definition["spec"].get("names") or {}).get("kind"))


def _place_of(obj: Manifest) -> str:
    """`shop/till`, or `till` for an object without namespace."""
    return "/".join(part for part in (obj["metadata"].get("namespace"), name_of(obj)) if part)
