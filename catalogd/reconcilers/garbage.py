"""Removing, now and then, what no catalog needs. Every replica cleans its own volume. Rule: clustercatalog.md 8.2."""

from __future__ import annotations

import asyncio

from catalogd.store import Store, StoreError
from olmv1.kube.caches import Cache
from olmv1.telemetry.logs import get_logger

__all__ = ["collect_garbage"]

_FIRST_AFTER_S = 10.0
_log = get_logger(__name__)


async def collect_garbage(store: Store, catalogs: Cache, interval_s: float) -> None:
    """Collect some seconds after the catalogs of the cluster are known, then every `interval_s` seconds, for ever.

    A failure is logged; the next run tries again.
    """
    await catalogs.wait_synced()
    # A cluster that is just starting may not know the kind yet, which reads as no catalogs at all.
    await asyncio.sleep(min(interval_s, _FIRST_AFTER_S))
    while True:
        try:
            await asyncio.to_thread(store.collect, lambda name: catalogs.get(name) is not None)
        except StoreError as error:
            _log.error("garbage not collected", error=str(error))
        await asyncio.sleep(interval_s)
