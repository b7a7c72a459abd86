"""A cache that a test feeds instead of a watch."""

from __future__ import annotations

from typing import cast

from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import Resource
from olmv1.kube.store import name_in
from olmv1.manifests import Manifest

__all__ = ["FedCache"]


class FedCache(Cache):
    """A real cache whose objects come from `put` and `remove`; it never asks a server."""

    def __init__(self, resource: Resource) -> None:
        super().__init__(cast(KubeClient, None), resource)
        self._puts = 0

    def put(self, manifest: Manifest) -> None:
        """As the watch would: ADDED or MODIFIED, each time with another resource version."""
        self._puts += 1
        metadata = {**manifest["metadata"], "resourceVersion": str(self._puts)}
        self._tell(self._store.put({**manifest, "metadata": metadata}))

    def remove(self, manifest: Manifest) -> None:
        """As the watch would: DELETED."""
        self._tell(self._store.remove(name_in(manifest)))

    def complete(self) -> None:
        """As at the end of the first list."""
        self._synchronised(str(self._puts))
