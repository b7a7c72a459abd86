"""Whether this replica holds what readers ask it for: what `/readyz` says about content, on every replica.

Rule: clustercatalog.md 13.3.
"""

from __future__ import annotations

from catalogd.reconcilers.view import expected_digest
from catalogd.store import Store
from olmv1.kube.caches import Cache
from olmv1.manifests import Manifest, name_of

__all__ = ["Readiness"]

_NAMED = 3


class Readiness:
    """Compares the store with the watched catalogs, in memory.

    Until its first yes a replica must hold exactly what the leader serves. Afterwards older content of a catalog will
    do while the newer one is fetched: the leader alone would have to answer everybody otherwise.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._catalogs: Cache | None = None
        self._has_caught_up = False

    def connect(self, catalogs: Cache) -> None:
        """Take the cache as soon as there is a connection to the cluster."""
        self._catalogs = catalogs

    def what_is_missing(self) -> str | None:
        """What keeps readers away from this replica, in one line; `None`: nothing does."""
        if not self._store.is_loaded:
            return "stored content is being verified"
        if self._catalogs is None or not self._catalogs.is_synced:
            # A replica that was restarted while the API server is away goes on with what it has.
            return None if self._store.manifests() else "the catalogs of the cluster are not known yet"
        missing = [name_of(catalog) for catalog in self._catalogs.items() if self._is_missing(catalog)]
        if missing:
            named = ", ".join(f'"{name}"' for name in missing[:_NAMED])
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            return f"content that is not on this replica yet: {named}{more}"
        self._has_caught_up = True
        return None

    def _is_missing(self, catalog: Manifest) -> bool:
        expected = expected_digest(catalog)
        snapshot = self._store.snapshot(name_of(catalog))
        if snapshot is None or not expected:
            return bool(expected)
        return snapshot.digest != expected and not self._has_caught_up
