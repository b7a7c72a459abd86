"""docs/metrics.md lists exactly the series of the room, with their types and labels, among those of others."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from olmv1.kube.controller import Result
from olmv1.kube.resources import CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS
from operator_controller.metrics import Metrics
from tests.builders import an_extension
from tests.fed_cache import FedCache
from tests.monitoring import SIBLING, documented


async def test_documented_series_are_those_that_are_exposed() -> None:
    async def reconcile(_: str) -> Result:
        return Result()

    registry, extensions = CollectorRegistry(), FedCache(CLUSTER_EXTENSIONS)
    metrics = Metrics(registry, extensions=extensions, sets=FedCache(CLUSTER_OBJECT_SETS))
    extensions.put(an_extension())
    await metrics.counted(reconcile)("lantern")
    exposed = {
        (sample.name, family.type, frozenset(sample.labels))
        for family in registry.collect()
        for sample in family.samples
        if not sample.name.endswith(SIBLING)
    }
    ours = [each for each in documented().values() if each.where == ("operator-controller",)]
    assert {(each.name, each.type, each.labels) for each in ours if each.name.startswith("olm_")} == exposed
