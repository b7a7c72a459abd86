"""What the content server knows of the catalogs of the cluster: the watched objects, read from memory."""

from __future__ import annotations

from catalogd.reconcilers.view import is_offered
from catalogd.server.ports import Presence
from olmv1.kube.caches import Cache

__all__ = ["WatchedCatalogs"]


class WatchedCatalogs:
    """Answers from a cache; before its first complete list nothing is known, so that a restart serves at once."""

    def __init__(self) -> None:
        self._cache: Cache | None = None

    def connect(self, cache: Cache) -> None:
        """Take the cache as soon as there is a connection to the cluster."""
        self._cache = cache

    def presence(self, name: str) -> Presence:
        """Whether a catalog exists and is to be served."""
        if self._cache is None or not self._cache.is_synced:
            return Presence.UNKNOWN
        catalog = self._cache.get(name)
        if catalog is None:
            return Presence.ABSENT
        return Presence.AVAILABLE if is_offered(catalog) else Presence.UNAVAILABLE
