"""Series about the catalogs of the cluster and what this replica serves of them, made when they are read.

Rule: clustercatalog.md 13.15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from catalogd.reconcilers.examiner import Examiner
from catalogd.store import Store
from catalogd.store.layout import DATA_FILE
from olmv1.api.vocabulary import ConditionType
from olmv1.conditions import condition_of
from olmv1.kube.caches import Cache

__all__ = ["CatalogSeries"]


class CatalogSeries(Collector):
    """Reads the watched catalogs and the store; a catalog that is gone has no series any more."""

    def __init__(self, catalogs: Cache, store: Store, examiner: Examiner) -> None:
        self._catalogs = catalogs
        self._store = store
        self._examiner = examiner

    def collect(self) -> Iterable[Metric]:
        """The families of this moment."""
        yield self._by_condition()
        families = {
            "content_bytes": GaugeMetricFamily(
                "olm_catalog_content_bytes", "Size of the served content", labels=["name"]
            ),
            "packages": GaugeMetricFamily("olm_catalog_packages", "Packages in the served content", labels=["name"]),
            "bundles": GaugeMetricFamily("olm_catalog_bundles", "Bundles in the served content", labels=["name"]),
            "unpacked": GaugeMetricFamily(
                "olm_catalog_unpacked_timestamp_seconds", "When the served content was unpacked", labels=["name"]
            ),
        }
        for name, manifest in sorted(self._store.manifests().items()):
            families["content_bytes"].add_metric([name], manifest.files[DATA_FILE].size_bytes)
            families["packages"].add_metric([name], manifest.packages)
            families["bundles"].add_metric([name], manifest.bundles)
            families["unpacked"].add_metric([name], manifest.unpacked_at_s)
        yield from families.values()
        yield self._findings()

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering must not read what is not connected yet."""
        return ()

    def _findings(self) -> Metric:
        family = GaugeMetricFamily(
            "olm_catalog_findings", "What validation finds in the served content", labels=["name", "severity"]
        )
        for name, verdict in sorted(self._examiner.verdicts().items()):
            family.add_metric([name, "error"], verdict.errors)
            family.add_metric([name, "warning"], verdict.warnings)
        return family

    def _by_condition(self) -> Metric:
        family = GaugeMetricFamily(
            "olm_catalogs", "ClusterCatalogs by condition", labels=["condition", "status", "reason"]
        )
        counts: Counter[tuple[str, str, str]] = Counter()
        for catalog in self._catalogs.items():
            for type_ in (ConditionType.SERVING, ConditionType.PROGRESSING):
                condition = condition_of(catalog, type_) or {}
                status, reason = str(condition.get("status") or "Unknown"), str(condition.get("reason") or "")
                counts[type_.value, status, reason] += 1
        for labels, count in sorted(counts.items()):
            family.add_metric(labels, count)
        return family
