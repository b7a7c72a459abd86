"""The guides of `docs/` do what they show, on a real cluster, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from devcluster.cluster import Cluster
from e2e.samples import SAMPLES_DIR, push_catalog
from e2e.world import World, expect
from tests.api.guides import Guide, Shell

FOREGROUND = "kubectl delete clusterextension lantern --cascade=foreground"
PUSH = "podman push registry.example.com/lights/catalog:latest"


@pytest.fixture
def world(new_cluster: Callable[[], Cluster]) -> Iterator[World]:
    """A cluster of its own: the pages say what is on it, to the last object."""
    made = World.of_samples(new_cluster())
    yield made
    made.components.stop()


def one_version_behind(world: World) -> None:
    """What the page about approval begins with: 1.0.1, and nothing else wanted."""
    world.ask_for(version="1.0.1", upgradeConstraintPolicy="SelfCertified")
    world.wait_installed("1.0.1")
    world.ask_for(version="~1.0", upgradeConstraintPolicy="CatalogProvided")
    world.wait_installed("1.0.1")


def with_two_lanterns(world: World) -> None:
    """What the page about uninstalling begins with: custom resources that people have made."""
    for name in ("gate", "shed"):
        metadata = {"name": name, "namespace": "lantern-system"}
        world.kubectl.apply({"apiVersion": "lights.example.com/v1alpha1", "kind": "Lantern", "metadata": metadata})


def taken_back(world: World) -> None:
    """The extension anew, with leave to take over the CRDs that it left."""
    manifest = yaml.safe_load((SAMPLES_DIR / "clusterextension.yaml").read_text())
    manifest["metadata"]["annotations"] = {"extras.olm.operatorframework.io/adopt": "IfUnowned"}
    manifest["spec"]["source"]["catalog"]["version"] = "1.x"
    world.kubectl.apply(manifest)
    world.wait_installed("1.2.0")


def test_guides_do_what_they_show(world: World, tmp_path: Path) -> None:
    shell = Shell(world, tmp_path, {PUSH: lambda: push_catalog(world.registry, 2)})
    Guide("first-extension.md").follow(shell)
    Guide("upgrades.md").follow(shell)
    one_version_behind(world)
    Guide("approval.md").follow(shell)
    Guide("from-classic.md").follow(shell)
    with_two_lanterns(world)
    Guide("uninstall.md").follow(shell, {FOREGROUND: lambda: taken_back(world)})
    assert len(world.kubectl.items("lanterns")) == 2  # nothing was lost on the way
    world.kubectl.run("delete", "lanterns", "--all", "--namespace", "lantern-system")
    world.kubectl.delete("clusterextension", "lantern")
    expect("nothing of the extension to be left", lambda: not world.managed(), world.managed)
