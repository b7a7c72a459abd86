"""Whether the account of an extension may do what a new revision takes, asked before anything is written.

Called by the reconciler of extensions. Answers from the watches of RBAC objects; the API server is asked about what
looks missing only, because other authorizers may allow what RBAC does not. Rule: applying.md 4, 10 row 18.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from olmv1.errors import RetryableError
from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import Forbidden
from olmv1.manifests import Manifest, key_of
from operator_controller.authorization import (
    Account,
    KindMap,
    MappedKind,
    Missing,
    RbacSnapshot,
    Right,
    missing_rights,
    review_of,
)

__all__ = ["MissingRightsError", "RightsChecks"]

_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
_SAMPLE = 20
"""Reviews that are asked for first: where no other authorizer allows any of them, the others are not asked about."""
_PARALLEL = 6


class MissingRightsError(RetryableError):
    """The account lacks rights; `missing` says which."""

    def __init__(self, missing: Missing) -> None:
        super().__init__(f"creating new Revision: {missing.message}")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class RightsChecks:
    """`rbac` are the synced watches of Roles, ClusterRoles and their bindings."""

    client: KubeClient
    discovery: Discovery
    rbac: Sequence[Cache]

    async def require(self, objects: Sequence[Manifest], account: Account) -> None:
        """Return when the account may apply, repair and remove `objects`.

        Raises:
            MissingRightsError: it lacks something; everything is listed at once.
            RetryableError: the API server cannot be asked.
        """
        kinds = await self._kinds(objects)
        snapshot = [manifest for cache in self.rbac for manifest in cache.items()]
        missing = await asyncio.to_thread(lambda: missing_rights(objects, account, RbacSnapshot(snapshot), kinds))
        if missing.questions:
            missing = missing.without(await self._allowed(missing.questions, account))
        if not missing.is_nothing:
            raise MissingRightsError(missing)

    async def _kinds(self, objects: Sequence[Manifest]) -> KindMap:
        """The kinds of the objects as they are served; those of CRDs among the objects need not be."""
        served = []
        for api_version, kind in sorted({(key.api_version, key.kind) for key in map(key_of, objects)}):
            try:
                resource = await self.discovery.resource_for(api_version, kind)
            except NoSuchKind:
                continue
            served.append((kind, MappedKind(resource.group, resource.plural, resource.namespaced)))
        return KindMap(served)

    async def _allowed(self, questions: Sequence[Right], account: Account) -> Collection[Right]:
        first = await self._asked(questions[:_SAMPLE], account)
        return {*first, *await self._asked(questions[_SAMPLE:], account)} if first else ()

    async def _asked(self, questions: Sequence[Right], account: Account) -> Collection[Right]:
        slots = asyncio.Semaphore(_PARALLEL)

        async def is_allowed(right: Right) -> bool:
            async with slots:
                try:
                    answer = await self.client.post(_REVIEWS, review_of(right, account))
                except Forbidden:
                    return False  # then RBAC has the only word
            return bool((answer.get("status") or {}).get("allowed"))

        async with asyncio.TaskGroup() as group:
            tasks = {right: group.create_task(is_allowed(right)) for right in questions}
        return {right for right, task in tasks.items() if task.result()}
