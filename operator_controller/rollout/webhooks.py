"""What the engine asks about webhooks: whether one may be made, and whether one is in the way of its own repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.manifests import Manifest
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.plan import Plan
from operator_controller.revisions.webhooks import (
    ADMISSION_GROUP,
    called_services,
    failed_webhooks,
    has_endpoint,
    own_webhook_advice,
)
from operator_controller.rollout.content import Contents

__all__ = ["Webhooks"]


class Webhooks:
    """Looks at the endpoints behind webhooks as the controller; only when one is to be made, never at rest."""

    def __init__(self, reader: KubeClient, discovery: Discovery, contents: Contents) -> None:
        self._reader = reader
        self._discovery = discovery
        self._contents = contents

    async def why_wait(self, plan: Plan, owner: Owner, body: Mapping[str, Any], *, is_hindered: bool) -> str | None:
        """What an object that does not exist yet has to wait for; `None` for everything that is no webhook.

        A webhook waits for the endpoints of Services of its revision. It is also not made while it could hold up what
        it is meant for: by a pass that could not write what comes before it, nor by a revision that is being replaced.
        So a person who deletes a webhook that blocks its own repair is not worked against.

        Raises:
            ApiError: the API server cannot be asked.
        """
        if not str(body.get("apiVersion")).startswith(f"{ADMISSION_GROUP}/"):
            return None
        if any(number > owner.revision for number in owner.siblings.values()):
            return "is left to the newer revision"
        if is_hindered:
            return "waits for the objects before it"
        own = {(key.namespace, key.name) for key in (item.key for item in plan.objects) if key.kind == "Service"}
        for namespace, name in called_services(body):
            if (namespace, name) in own and not await self._has_endpoint(namespace, name):
                return f"waits for an endpoint of Service {namespace}/{name}"
        return None

    async def advice(self, object_set: Manifest, plan: Plan, failures: Sequence[str]) -> tuple[str, ...]:
        """What a person can do when the revision fails because of a webhook that is part of it."""
        failed = failed_webhooks("\n".join(failures))
        if not failed:
            return ()
        admission = [planned for planned in plan.objects if planned.key.group == ADMISSION_GROUP]
        try:
            bodies = [await self._contents.body(object_set, planned) for planned in admission]
        except OlmError:
            return ()  # the failure itself is told all the same
        return tuple(own_webhook_advice(failed, bodies))

    async def _has_endpoint(self, namespace: str, service: str) -> bool:
        slices = await self._discovery.resource_for("discovery.k8s.io/v1", "EndpointSlice")
        selector = f"kubernetes.io/service-name={service}"
        return has_endpoint((await self._reader.list(slices, namespace, label_selector=selector)).items)
