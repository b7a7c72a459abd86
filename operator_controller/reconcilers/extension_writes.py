"""What is written on a ClusterExtension: its finalizers, its status, and Events about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.conditions import status_patch
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound
from olmv1.kube.events import EventRecorder
from olmv1.kube.latest import Latest
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import Manifest, name_of
from operator_controller.status.events import Transition, transitions

__all__ = ["ExtensionWrites"]


class ExtensionWrites:
    """Writes as the controller; an extension that is gone is no error. `latest` is told what the status has become."""

    def __init__(self, client: KubeClient, events: EventRecorder, latest: Latest) -> None:
        self._client = client
        self._events = events
        self._latest = latest

    async def finalizers(self, ext: Manifest, finalizers: Sequence[str]) -> bool:
        """Whether the extension is still there; refused when it changed since `ext` was read."""
        version = ext["metadata"]["resourceVersion"]
        patch = {"metadata": {"finalizers": list(finalizers), "resourceVersion": version}}
        try:
            await self._client.patch(CLUSTER_EXTENSIONS, name_of(ext), patch)
        except NotFound:
            return False
        return True

    async def status(self, ext: Manifest, status: Mapping[str, Any]) -> bool:
        """Whether the status differed and was written; its transitions are told as Events."""
        before = ext.get("status") or {}
        patch = status_patch(before, status)
        if patch is None:
            return False
        try:
            written = await self._client.patch(CLUSTER_EXTENSIONS, name_of(ext), patch, subresource="status")
        except NotFound:
            return False
        self._latest.note(written)
        for event in transitions(before, status):
            self.emit(ext, event, "Reconcile")
        return True

    def emit(self, ext: Manifest, event: Transition, action: str) -> None:
        """Tell of `event`, which `action` brought about."""
        self._events.emit(ext, type_=event.type, reason=event.reason, message=event.message, action=action)
