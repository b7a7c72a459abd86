"""The gauges: read from the watches whenever somebody scrapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from olmv1.manifests import Manifest, name_of
from operator_controller.metrics.labels import REVISION_STATES, abnormal_reason, info_of, place_of, revision_state

__all__ = ["WatchCollector"]

Items = Callable[[], Sequence[Manifest]]


class WatchCollector(Collector):
    """Each argument returns what a watch holds now."""

    def __init__(self, extensions: Items, sets: Items) -> None:
        self._extensions = extensions
        self._sets = sets

    def collect(self) -> Iterator[Metric]:
        """All series, as of now."""
        extensions = self._extensions()
        yield GaugeMetricFamily("olm_extensions", "ClusterExtensions on the cluster.", len(extensions))
        yield from _of_extensions(extensions)
        yield _revisions(self._sets())


def _of_extensions(extensions: Iterable[Manifest]) -> Iterator[Metric]:
    info = GaugeMetricFamily(
        "olm_extension_info",
        "What an extension asks for and has; always 1.",
        labels=("name", "package", "channels", "version", "installed", "catalog"),
    )
    ready = GaugeMetricFamily(
        "olm_extension_ready",
        "1 while an extension is what its spec asks for and healthy, else 0.",
        labels=("name", "namespace", "package", "version"),
    )
    abnormal = GaugeMetricFamily(
        "olm_extension_abnormal",
        "1 for an extension that is not ready, with the reason; absent while it is.",
        labels=("name", "namespace", "version", "reason"),
    )
    upgrades = GaugeMetricFamily(
        "olm_upgrade_available",
        "Bundles that the installed one could be replaced by in one step, at most ten.",
        labels=("name",),
    )
    for ext in extensions:
        name, namespace, package, version = place_of(ext)
        reason = abnormal_reason(ext)
        info.add_metric(info_of(ext), 1)
        ready.add_metric((name, namespace, package, version), int(reason is None))
        if reason is not None:
            abnormal.add_metric((name, namespace, version, reason), 1)
        upgrades.add_metric((name_of(ext),), len((ext.get("status") or {}).get("availableUpgrades") or ()))
    yield from (info, ready, abnormal, upgrades)


def _revisions(sets: Iterable[Manifest]) -> Metric:
    family = GaugeMetricFamily("olm_revisions", "ClusterObjectSets by what has become of them.", labels=("state",))
    counts = Counter(map(revision_state, sets))
    for state in REVISION_STATES:
        family.add_metric((state,), counts[state])
    return family
