"""The objects of a revision, read from the Secrets that it refers to.

What a revision consists of never changes, so its plan is kept as long as the revision lives; the objects themselves are
taken from a small cache of Secrets, or read again, when they are needed.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import SECRETS
from olmv1.manifests import Manifest, uid_of
from operator_controller.revisions.plan import Place, Plan, PlannedObject, Secrets, body_of, places_of, plan_of

__all__ = ["Contents"]

_CACHED_BYTES = 32 * 1024 * 1024


class Contents:
    """Reads the objects of revisions as the controller; references without a namespace mean `system_namespace`."""

    def __init__(self, client: KubeClient, system_namespace: str) -> None:
        self._client = client
        self.system_namespace = system_namespace
        self._plans: dict[str, Plan] = {}
        self._secrets: OrderedDict[Place, Manifest] = OrderedDict()
        self._cached_bytes = 0

    async def plan(self, object_set: Manifest) -> Plan:
        """The plan of a revision.

        Raises:
            TerminalError, RetryableError: as `revisions.plan.plan_of`; also when the API server cannot be asked.
        """
        uid = uid_of(object_set)
        if uid not in self._plans:
            secrets = await self._read(places_of(object_set, self.system_namespace))
            plan = await asyncio.to_thread(plan_of, object_set, secrets, self.system_namespace)
            if not plan.phases:
                return plan  # phases may still be filled in
            self._plans[uid] = plan
        return self._plans[uid]

    async def body(self, object_set: Manifest, planned: PlannedObject) -> Mapping[str, Any]:
        """The content of one object of a revision, as it was stored.

        Raises:
            TerminalError, RetryableError: as `revisions.plan.body_of`.
        """
        places: tuple[Place, ...] = ()
        if planned.place is not None:
            index, position = planned.place
            entry = object_set["spec"]["phases"][index]["objects"][position]
            places = () if "ref" not in entry else (self._place(entry["ref"]),)
        return body_of(object_set, planned, await self._read(places), self.system_namespace)

    def forget(self, owner_uid: str) -> None:
        """Drop the plan of a revision that is gone."""
        self._plans.pop(owner_uid, None)

    def _place(self, ref: Mapping[str, Any]) -> Place:
        return (ref.get("namespace") or self.system_namespace, ref["name"])

    async def _read(self, places: tuple[Place, ...]) -> Secrets:
        """The Secrets at `places`; one that does not exist is told where its content is needed."""
        found: dict[Place, Manifest | RetryableError] = {}
        for place in places:
            try:
                found[place] = await self._secret(place)
            except NotFound as error:
                missing = RetryableError(f"getting Secret {'/'.join(place)}: {error}")
                missing.__cause__ = error
                found[place] = missing
            except ApiError as error:
                raise RetryableError(f"getting Secret {'/'.join(place)}: {error}") from error
        return found

    async def _secret(self, place: Place) -> Manifest:
        if place in self._secrets:
            self._secrets.move_to_end(place)
            return self._secrets[place]
        namespace, name = place
        secret = await self._client.get(SECRETS, name, namespace)
        if secret.get("immutable") is True and place not in self._secrets:
            self._keep(place, secret)
        return secret

    def _keep(self, place: Place, secret: Manifest) -> None:
        self._secrets[place] = secret
        self._cached_bytes += _size(secret)
        while self._cached_bytes > _CACHED_BYTES and len(self._secrets) > 1:
            _, dropped = self._secrets.popitem(last=False)
            self._cached_bytes -= _size(dropped)


def _size(secret: Manifest) -> int:
    return sum(len(value) for value in (secret.get("data") or {}).values())
