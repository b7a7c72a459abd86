"""Compares the CRDs of a new revision with those of the cluster, and looks at the objects that they hold.

Called by the reconciler of extensions between rendering and creating. Reads as the controller. Rule: applying.md 5.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from olmv1.api.names import KIND_CLUSTER_EXTENSION, LABEL_OWNER_KIND, LABEL_OWNER_NAME
from olmv1.errors import RetryableError
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.manifests import Manifest, name_of
from olmv1.selectors import Selector
from operator_controller.crd_safety import (
    Accepted,
    CrdVerdict,
    ObjectsToRead,
    Stored,
    StoredCheck,
    is_definition,
    judge,
    objects_to_read,
)
from operator_controller.revisions.ownership import controller_of
from operator_controller.uninstall import is_doomed

__all__ = ["DefinitionChecks"]

_AT_ONCE = 4
_MOST_OBJECTS = 50_000
"""Of one kind; beyond it nothing is said about the rest, and what depends on data blocks."""


class DefinitionChecks:
    """`definitions` is a watch of the metadata of CRDs: what is not in it is not asked for."""

    def __init__(self, client: KubeClient, definitions: Cache) -> None:
        self._client = client
        self._definitions = definitions

    async def verdicts(
        self, extension: str, objects: Sequence[Manifest], enforcement: str, accepted: Accepted
    ) -> tuple[CrdVerdict, ...]:
        """One verdict for every CRD of the cluster that the objects change, or that would vanish; by name.

        Raises: RetryableError when a CRD or its objects cannot be read.
        """
        new = {name_of(item): item for item in objects if is_definition(item)}
        names = sorted({name for name in new if self._definitions.get(name) is not None} | self._managed(extension))
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(name: str) -> CrdVerdict | None:
            async with slots:
                return await self._verdict(name, new.get(name), enforcement, accepted)

        found = await asyncio.gather(*(one(name) for name in names))
        return tuple(verdict for verdict in found if verdict is not None)

    def doomed(self, owners: Collection[str]) -> tuple[str, ...]:
        """The names of the CRDs that would go with the revisions with these UIDs, sorted."""
        return tuple(sorted(name_of(item) for item in self._definitions.items() if is_doomed(item, owners)))

    async def _verdict(
        self, name: str, new: Manifest | None, enforcement: str, accepted: Accepted
    ) -> CrdVerdict | None:
        try:
            old = await self._client.get(CUSTOM_RESOURCE_DEFINITIONS, name)
        except NotFound:
            return None
        except ApiError as error:
            text = f'getting existing resource for CRD "{name}": {error}'
            raise RetryableError(text, retry_after_s=error.retry_after_s) from error
        wanted = await asyncio.to_thread(objects_to_read, old, new, enforcement)
        stored = None if wanted is None else await self._stored(old, new, wanted)
        return await asyncio.to_thread(judge, old, new, enforcement, accepted, stored)

    async def _stored(self, old: Manifest, new: Manifest | None, wanted: ObjectsToRead) -> Stored:
        check, count = await asyncio.to_thread(StoredCheck, old, new), 0
        resource = Resource(wanted.group, wanted.version, wanted.plural, wanted.kind, wanted.is_namespaced)
        try:
            nothing: Mapping[str, str] = {}
            async for page in self._client.pages(resource, query=nothing, metadata_only=wanted.metadata_only):
                await asyncio.to_thread(check.add, page.items[: _MOST_OBJECTS - count])
                count += len(page.items)
                if count > _MOST_OBJECTS:
                    return check.result(is_complete=False)
        except NotFound:
            pass  # not served: nothing can have been stored through it
        return check.result()

    def _managed(self, extension: str) -> set[str]:
        wanted = {LABEL_OWNER_KIND: KIND_CLUSTER_EXTENSION, LABEL_OWNER_NAME: extension}
        labelled = self._definitions.items(Selector.parse({"matchLabels": wanted}))
        return {name_of(item) for item in labelled if controller_of(item) is not None}  # the others stay when we go
