"""All series of the room, registered once per process: what happens is told here, what is there is collected."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import prometheus_client
from prometheus_client import CollectorRegistry

from olmv1.errors import TerminalError
from olmv1.kube.caches import Cache, Change
from olmv1.kube.controller import Result
from olmv1.manifests import Manifest, name_of
from operator_controller.metrics.collector import WatchCollector

__all__ = ["Metrics"]

_RESULTS = ("success", "retrying", "blocked")

Reconcile = Callable[[str], Awaitable[Result]]


class Metrics:
    """`extensions` and `sets` are watches. The counters of an extension come and go with it."""

    def __init__(self, registry: CollectorRegistry, *, extensions: Cache, sets: Cache) -> None:
        registry.register(WatchCollector(extensions.items, sets.items))
        self._extensions = extensions
        self._upgrades = prometheus_client.Counter(
            "olm_extension_upgrades_total", "Bundles that another one has replaced.", ("name",), registry=registry
        )
        self._drift = prometheus_client.Counter(
            "olm_drift_total", "Objects that were changed by somebody else and put right.", ("name",), registry=registry
        )
        self._reconciles = prometheus_client.Counter(
            "olm_reconciles_total", "Passes over an extension by result.", ("name", "result"), registry=registry
        )
        extensions.add_handler(self._changed)

    def counted(self, reconcile: Reconcile) -> Reconcile:
        """`reconcile` of extensions, with every pass counted by what it ends with."""

        async def pass_over(name: str) -> Result:
            result = await reconcile(name)
            if self._extensions.get(name) is not None:
                self._reconciles.labels(name, _word(result)).inc()
            return result

        return pass_over

    def drifted(self, name: str, count: int) -> None:
        """The revisions of extension `name` put so many objects right that had been fine before."""
        if self._extensions.get(name) is not None:
            self._drift.labels(name).inc(count)

    def _changed(self, change: Change) -> None:
        name = name_of(change.object)
        if change.type == "DELETED":
            self._forget(name)
            return
        # A series that begins with its first event would hide that event from `increase`.
        self._drift.labels(name)
        series = self._upgrades.labels(name)
        before = None if change.old is None else _installed(change.old)
        if before is not None and _installed(change.object) not in (None, before):
            series.inc()

    def _forget(self, name: str) -> None:
        for counter in (self._upgrades, self._drift):
            counter.remove(name)
        for result in _RESULTS:
            self._reconciles.remove(name, result)


def _installed(ext: Manifest) -> tuple[object, ...] | None:
    install = (ext.get("status") or {}).get("install") or {}
    bundle = install.get("bundle")
    return None if bundle is None else (bundle.get("name"), bundle.get("version"), bundle.get("release"))


def _word(result: Result) -> str:
    """Waiting for time, or for a change, as `Progressing` says it too."""
    success, retrying, blocked = _RESULTS
    if result.error is None:
        return success
    return blocked if isinstance(result.error, TerminalError) else retrying
