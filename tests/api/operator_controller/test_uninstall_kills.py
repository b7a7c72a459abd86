"""The controller killed between the first writes of a deletion that keeps something: what was to stay stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.write_gate import WriteGate
from e2e.world import World, expect
from tests.api.operators import PREFIX, Operator, bundle_of, config_map, down, publish, running_world

KILLS = range(1, 6)
ON_DELETE = f"extras.{PREFIX}/on-delete"


@pytest.fixture(scope="module")
def gate(own_cluster: Cluster) -> Iterator[WriteGate]:
    own_cluster.install_olm()
    made = WriteGate(own_cluster)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def world(own_cluster: Cluster, gate: WriteGate) -> Iterator[World]:
    flags = {"kubeconfig": str(gate.kubeconfig_for("operator-controller-controller-manager"))}
    with running_world(own_cluster, flags) as made:
        yield made
        gate.open()


@pytest.fixture
def fleet(world: World, choice: str) -> Iterator[list[Operator]]:
    """One installed operator for each kill; a person has made an object of its kind."""
    made = [Operator(world).prepare() for _ in KILLS]
    bundles = {one.name: {"1.0.0": bundle_of(one.name, "1.0.0", settings(one), crds=["things"])} for one in made}
    publish(world, choice.lower(), bundles)
    for operator in made:
        operator.install()
    for operator in made:
        operator.wait_installed("1.0.0")
        metadata = {"name": "mine", "namespace": operator.namespace}
        api_version = f"{operator.name}.example.com/v1"
        world.kubectl.apply({"apiVersion": api_version, "kind": "Thing", "metadata": metadata})
        world.kubectl.run("annotate", "clusterextension", operator.name, f"{ON_DELETE}={choice}")
    yield made
    for operator in made:
        operator.forget()


def settings(operator: Operator) -> dict[str, object]:
    return config_map(f"{operator.name}-settings")


def kill_after(gate: WriteGate, operator: Operator, count: int) -> str:
    """Delete the extension, and kill the controller after so many writes about it; the last of them."""
    gate.watch_for(operator.name, close_after=count)
    operator.kubectl.delete("clusterextension", operator.name, wait=False)
    expect(f"{count} writes about {operator.name}", lambda: gate.is_closed, lambda: "\n".join(map(str, gate.seen)), 60)
    with down(operator.world.components.operator_controller):
        last = str(gate.seen[-1])
        gate.open()
    return last


def left(operator: Operator) -> list[str]:
    """What is there of the operator: its definition, the object in it, its settings and its Deployment."""
    definition = f"things.{operator.name}.example.com"
    places = {
        "definition": ("crd", definition, ""),
        "object": (definition, "mine", operator.namespace),
        "settings": ("configmap", f"{operator.name}-settings", operator.namespace),
        "deployment": ("deployment", f"{operator.name}-controller", operator.namespace),
    }
    found = {what: operator.kubectl.get(*place) for what, place in places.items()}
    return [what for what, item in found.items() if item and not item["metadata"].get("ownerReferences")]


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        pytest.param("KeepCRDs", ["definition", "object"], id="definitions stay"),
        pytest.param("Orphan", ["definition", "object", "settings", "deployment"], id="everything stays"),
    ],
)
def test_what_is_kept_survives_a_kill_between_any_two_writes(
    gate: WriteGate, fleet: list[Operator], kept: list[str]
) -> None:
    killed = [kill_after(gate, operator, count) for count, operator in zip(KILLS, fleet, strict=True)]
    for operator in fleet:
        expect("the extension to be gone", lambda one=operator: not one.world.extension(one.name), operator.sets, 90)  # type: ignore[misc]
        operator.wait_nothing_left()
        assert (left(operator), operator.sets(), operator.secrets()) == (kept, [], []), killed
