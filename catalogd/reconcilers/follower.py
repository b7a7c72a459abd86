"""What a replica that does not lead does: fetch what the leader resolved, so that it can serve it too. Never writes.

Rule: clustercatalog.md 13.3.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from catalogd.reconcilers.examiner import Examiner
from catalogd.reconcilers.view import is_offered, resolved_ref
from catalogd.store import Store
from catalogd.unpack import Unpacker
from olmv1.errors import OlmError
from olmv1.kube.caches import Cache
from olmv1.kube.controller import Result

__all__ = ["FollowerReconciler"]


class FollowerReconciler:
    """Makes the content on this replica equal to `status.resolvedSource` of each catalog while somebody else leads."""

    def __init__(
        self, catalogs: Cache, store: Store, unpacker: Unpacker, examiner: Examiner, is_leader: Callable[[], bool]
    ) -> None:
        self._catalogs = catalogs
        self._store = store
        self._unpacker = unpacker
        self._examiner = examiner
        self._is_leader = is_leader

    async def reconcile(self, name: str) -> Result:
        """One pass over the catalog `name`.

        Raises:
            OlmError: the content could not be fetched or stored; the queue tries again.
        """
        if self._is_leader():
            return Result()
        catalog = self._catalogs.get(name)
        if catalog is None:
            return Result()  # left to the garbage collector, as on the leader
        if not is_offered(catalog):
            await asyncio.to_thread(self._store.remove, name)
            return Result()
        ref = resolved_ref(catalog)
        snapshot = self._store.snapshot(name)
        if not ref or (snapshot is not None and snapshot.digest == ref.rpartition("@")[2]):
            return Result()
        source = catalog["spec"]["source"]["image"]["ref"]
        try:
            unpacked = await self._unpacker.unpack(name, ref, source, is_wanted=lambda: not self._is_leader())
        except OlmError:
            if self._is_leader():
                return Result()  # the queue of the leader has the catalog now
            raise
        self._examiner.examine(name, files=unpacked.files)
        return Result(outcome="followed", is_notable=True)
