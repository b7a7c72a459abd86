"""The chart on a cluster: installed, at work, upgraded under running extensions, and removed from under them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component
from devcluster.images import catalog_image
from devcluster.processes import tail_of
from e2e.logs import problems
from e2e.world import World
from tests.api.charts.release import Release, components_of, is_current, older_chart, world_of
from tests.api.operators import Operator, bundle_of, config_map

ACCOUNTS = ("catalogd-controller-manager", "operator-controller-controller-manager")
SHELF = {"schema": "olm.package", "name": "shelf", "defaultChannel": "stable"}
CHANNEL = {"schema": "olm.channel", "package": "shelf", "name": "stable", "entries": [{"name": "shelf.v1"}]}
BUNDLE = {
    "schema": "olm.bundle",
    "package": "shelf",
    "name": "shelf.v1",
    "image": "registry.example.com/shelf:v1",
    "properties": [{"type": "olm.package", "value": {"packageName": "shelf", "version": "1.0.0"}}],
}


@pytest.fixture
def bare(new_cluster: Callable[[], Cluster]) -> Cluster:
    """A cluster without OLM, whose system namespace takes restricted pods only."""
    made = new_cluster()
    labels = {
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/enforce-version": "latest",
    }
    made.kubectl.apply(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SYSTEM_NAMESPACE, "labels": labels}}
    )
    return made


@pytest.fixture
async def installed(bare: Cluster, tmp_path: Path) -> AsyncIterator[tuple[Release, World]]:
    """An older version of the chart with a catalog, and the components at work."""
    text = "\n".join(json.dumps(blob) for blob in (SHELF, CHANNEL, BUNDLE))
    ref = bare.registry.push("shelf/catalog:v1", catalog_image({"catalog.json": text.encode()}))
    release = Release(bare)
    older = older_chart(tmp_path)
    await release.put({"catalogs": {"shelf": {"image": ref}}}, older)
    world = world_of(bare, older).start()
    yield release, world
    for component in world.both:
        # pytest shows captured output of failed tests only
        print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
    world.components.stop()


async def test_chart_is_installed_upgraded_uninstalled_and_installed_again_under_an_extension(
    installed: tuple[Release, World],
) -> None:
    release, world = installed
    world.wait_serving("shelf", timeout_s=60)
    operator = Operator(world).prepare()
    operator.publish({each: bundle_of(operator.name, each, config_map("lamp")) for each in ("1.0.0", "1.1.0")})
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    await upgrade(release, operator)
    await take_away_and_bring_back(release, operator)
    operator.delete()
    operator.wait_nothing_left()
    assert said(*world.both) == []
    await remove_everything(release, world)


async def upgrade(release: Release, operator: Operator) -> None:
    """A newer chart with more replicas: CRDs and rights follow, the extension stays and can be upgraded."""
    world = operator.world
    assert is_current(world.kubectl) == (False, False)
    before = kept(operator)
    catalogs = {name: {"image": image_of(world, "shelf")} for name in ("shelf", "other")}
    await release.put({"catalogs": catalogs, "catalogd": {"replicas": 2}, "operatorController": {"replicas": 2}})
    assert is_current(world.kubectl) == (True, True)
    assert kept(operator) == before
    world.wait_serving("other", timeout_s=60)
    assert {f"PodDisruptionBudget/{name}" for name in ACCOUNTS} <= release.objects()
    accounts = {pod["spec"]["serviceAccountName"] for pod in world.kubectl.items("pods", SYSTEM_NAMESPACE)}
    assert accounts == set(ACCOUNTS)
    replace(world)
    operator.install(version="1.1.0")
    operator.wait_installed("1.1.0")


async def take_away_and_bring_back(release: Release, operator: Operator) -> None:
    """Without the release what extensions brought is there as before, and the next release knows it."""
    world = operator.world
    before = kept(operator)
    world.components.stop()
    await release.remove()
    assert {each.partition("/")[0] for each in release.objects()} == {"CustomResourceDefinition"}
    assert kept(operator) == before
    await release.put({})
    assert {f"PodDisruptionBudget/{name}" for name in ACCOUNTS} & release.objects() == set()
    replace(world)
    operator.wait_installed("1.1.0")
    assert kept(operator) == before


async def remove_everything(release: Release, world: World) -> None:
    """What the README of the chart says about it."""
    world.kubectl.run("delete", "clustercatalogs", "--all", "--timeout=150s")
    world.components.stop()
    await release.remove()
    crds = [each.partition("/")[2] for each in release.objects()]
    assert len(crds) == 3
    world.kubectl.run("delete", "crd", *crds, "--timeout=150s")
    assert release.objects() == set()


def kept(operator: Operator) -> dict[str, str]:
    """The identity of everything that an uninstalled or upgraded chart must not touch."""
    kinds = {
        "clusterextensions,clustercatalogs,customresourcedefinitions": None,
        "configmaps,deployments": operator.namespace,
        "secrets": SYSTEM_NAMESPACE,
    }
    found: list[dict[str, Any]] = [
        item for kind, namespace in kinds.items() for item in operator.kubectl.items(kind, namespace)
    ]
    return {
        f"{item['kind']}/{item['metadata']['name']}": item["metadata"]["uid"]
        for item in found
        if not str(item.get("type", "")).startswith("helm.sh/") and item["metadata"]["name"] != "other"
    }


def replace(world: World) -> None:
    """New components take over, as new pods would."""
    if all(component.is_running for component in world.both):
        world.components.stop()
    world.components = components_of(world)
    world.start()


def image_of(world: World, catalog: str) -> str:
    found = world.kubectl.get("clustercatalog", catalog)
    assert found is not None
    return str(found["spec"]["source"]["image"]["ref"])


def said(*components: Component) -> list[str]:
    """What the components complained of."""
    return [line for each in components for line in problems(each.log_text())]
