from __future__ import annotations

from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.controller import Result
from olmv1.kube.resources import CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS
from operator_controller.metrics import Metrics
from tests.builders import a_condition, an_extension, an_object_set
from tests.fed_cache import FedCache


class World:
    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self.extensions, self.sets = FedCache(CLUSTER_EXTENSIONS), FedCache(CLUSTER_OBJECT_SETS)
        self.metrics = Metrics(self.registry, extensions=self.extensions, sets=self.sets)

    def series(self, name: str) -> set[str]:
        """The lines of one series."""
        lines = generate_latest(self.registry).decode().splitlines()
        return {line for line in lines if line.startswith((f"{name}{{", f"{name} "))}


@pytest.fixture
def world() -> World:
    return World()


def installed(bundle_version: str, *conditions: dict[str, Any], **catalog: Any) -> dict[str, Any]:
    bundle = {"name": f"lantern.v{bundle_version}", "version": bundle_version}
    status = {"install": {"bundle": bundle, "catalog": "lights"}, "conditions": list(conditions)}
    return {**an_extension(catalog=catalog), "status": status}


def leaving(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "metadata": {**manifest["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}


READY = a_condition("Ready")


def test_metrics_tell_what_an_extension_asks_for_and_has(world: World) -> None:
    world.extensions.put(installed("1.0.0", READY, version="1.x", channels=["stable", "beta"]))
    assert world.series("olm_extension_info") == {
        'olm_extension_info{catalog="lights",channels="beta,stable",installed="1.0.0",name="lantern",'
        'package="lantern",version="1.x"} 1.0'
    }
    assert world.series("olm_extension_ready") == {
        'olm_extension_ready{name="lantern",namespace="lantern-system",package="lantern",version="1.0.0"} 1.0'
    }
    assert world.series("olm_extension_abnormal") == set()
    assert world.series("olm_upgrade_available") == {'olm_upgrade_available{name="lantern"} 0.0'}


def test_metrics_bound_the_text_of_channels(world: World) -> None:
    world.extensions.put(installed("1.0.0", channels=[f"channel-{number:03}" for number in range(256)]))
    (line,) = world.series("olm_extension_info")
    assert len(line.partition('channels="')[2].partition('"')[0]) == 200


@pytest.mark.parametrize(
    ("ext", "version", "reason"),
    [
        pytest.param(
            installed("1.0.0", a_condition("Ready", "False", "ProbeFailure")), "1.0.0", "ProbeFailure", id="not ready"
        ),
        pytest.param(an_extension(), "", "Unknown", id="not looked at yet"),
        pytest.param(leaving(installed("1.0.0", READY)), "1.0.0", "Deleting", id="on its way out"),
    ],
)
def test_metrics_give_the_reason_of_what_is_abnormal(
    world: World, ext: dict[str, Any], version: str, reason: str
) -> None:
    world.extensions.put(ext)
    labels = f'name="lantern",namespace="lantern-system",reason="{reason}",version="{version}"'
    assert world.series("olm_extension_abnormal") == {f"olm_extension_abnormal{{{labels}}} 1.0"}
    assert [line[-4:] for line in world.series("olm_extension_ready")] == [" 0.0"]


def test_metrics_count_available_upgrades(world: World) -> None:
    ext = installed("1.0.0")
    ext["status"]["availableUpgrades"] = [{"bundle": "a", "version": "2.0.0"}, {"bundle": "b", "version": "3.0.0"}]
    world.extensions.put(ext)
    assert world.series("olm_upgrade_available") == {'olm_upgrade_available{name="lantern"} 2.0'}


def test_metrics_count_extensions_and_revisions(world: World) -> None:
    world.extensions.put(an_extension())
    for object_set in (
        leaving(an_object_set(1)),
        an_object_set(2, state="Archived"),
        an_object_set(3, conditions=[a_condition("Succeeded"), a_condition("Progressing")]),
        an_object_set(4, conditions=[a_condition("Progressing", "False", "Blocked")]),
        an_object_set(5, conditions=[a_condition("Progressing", "False", "Paused")]),
        an_object_set(6),
    ):
        world.sets.put(object_set)
    assert world.series("olm_extensions") == {"olm_extensions 1.0"}
    assert world.series("olm_revisions") == {
        'olm_revisions{state="RollingOut"} 2.0',
        'olm_revisions{state="Succeeded"} 1.0',
        'olm_revisions{state="Stalled"} 1.0',
        'olm_revisions{state="Archived"} 1.0',
        'olm_revisions{state="Deleting"} 1.0',
    }


def test_metrics_count_what_was_replaced(world: World) -> None:
    world.extensions.put(an_extension())
    assert world.series("olm_extension_upgrades_total") == {'olm_extension_upgrades_total{name="lantern"} 0.0'}
    for ext in (installed("1.0.0"), installed("1.0.0", READY), installed("1.1.0"), an_extension(), installed("1.2.0")):
        world.extensions.put(ext)
    assert world.series("olm_extension_upgrades_total") == {'olm_extension_upgrades_total{name="lantern"} 1.0'}


def test_metrics_count_drift(world: World) -> None:
    world.extensions.put(an_extension())
    world.metrics.drifted("lantern", 2)
    world.metrics.drifted("stranger", 1)
    assert world.series("olm_drift_total") == {'olm_drift_total{name="lantern"} 2.0'}


@pytest.mark.parametrize(
    ("error", "result"), [(None, "success"), (RetryableError("no"), "retrying"), (TerminalError("no"), "blocked")]
)
async def test_metrics_count_passes_by_what_they_end_with(world: World, error: OlmError | None, result: str) -> None:
    async def reconcile(name: str) -> Result:
        return Result(error=error, outcome=name)

    world.extensions.put(an_extension())
    counted = world.metrics.counted(reconcile)
    assert (await counted("lantern")).outcome == "lantern"
    await counted("gone")
    assert world.series("olm_reconciles_total") == {f'olm_reconciles_total{{name="lantern",result="{result}"}} 1.0'}


async def test_metrics_forget_an_extension_that_is_gone(world: World) -> None:
    async def reconcile(_: str) -> Result:
        return Result()

    world.extensions.put(an_extension())
    world.metrics.drifted("lantern", 2)
    await world.metrics.counted(reconcile)("lantern")
    world.extensions.remove(an_extension())
    assert 'name="lantern"' not in generate_latest(world.registry).decode()
