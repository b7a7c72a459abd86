"""The controller killed after each of the writes that a rollout consists of: every time all heals.

A gate before the API server lets through what is written about one extension up to the step in question and no more;
then the controller is killed. Every step has an extension of its own, which is installed, upgraded and removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from devcluster.write_gate import WriteGate
from e2e.inventory import take, wait_for_inventory
from e2e.world import World, expect
from tests.api.operators import Operator, bundle_of, config_map, down, publish, running_world

_SET = r"/apis/olm\.operatorframework\.io/v1/clusterobjectsets"
_EXTENSION = r"/apis/olm\.operatorframework\.io/v1/clusterextensions/[^/]+"
_SECRETS = "/api/v1/namespaces/olmv1-system/secrets"
_CONFIG_MAPS = "/api/v1/namespaces/[^/]+/configmaps"
_DEPLOYMENTS = "/apis/apps/v1/namespaces/[^/]+/deployments"
_DEFINITIONS = r"/apis/apiextensions\.k8s\.io/v1/customresourcedefinitions"

STEPS: Mapping[str, Mapping[str, str]] = {
    "install": {
        "finalizers of the extension": f"PATCH {_EXTENSION}",
        "Secret of the revision": f"POST {_SECRETS}",
        "revision": f"POST {_SET}",
        "owner of the Secret": f"PATCH {_SECRETS}/.+",
        "first object": f"PATCH {_CONFIG_MAPS}/.+-dropped",
        "second object of a phase": f"PATCH {_CONFIG_MAPS}/.+-kept",
        "definition of a later phase": f"PATCH {_DEFINITIONS}/.+",
        "Deployment of the last phase": f"PATCH {_DEPLOYMENTS}/.+",
        "status of the revision": f"PATCH {_SET}/.+-1/status",
        "status of the extension": f"PATCH {_EXTENSION}/status",
    },
    "upgrade": {
        "Secret of the next revision": f"POST {_SECRETS}",
        "next revision": f"POST {_SET}",
        "owner of its Secret": f"PATCH {_SECRETS}/.+",
        "first object handed over": f"PATCH {_CONFIG_MAPS}/.+-kept",
        "definition handed over": f"PATCH {_DEFINITIONS}/.+",
        "Deployment handed over": f"PATCH {_DEPLOYMENTS}/.+",
        "status of the revision": f"PATCH {_SET}/.+-2/status",
        "status of the extension": f"PATCH {_EXTENSION}/status",
        "archived revision": f"PATCH {_SET}/.+-1",
        "object that was dropped": f"DELETE {_CONFIG_MAPS}/.+-dropped",
    },
    "removal": {
        "decision on the revisions": f"PATCH {_SET}/.+",
        "deletion of the revisions": f"DELETE {_SET}/.+",
        "Deployment": f"DELETE {_DEPLOYMENTS}/.+",
        "definition": f"DELETE {_DEFINITIONS}/.+",
        "object of the first phase": f"DELETE {_CONFIG_MAPS}/.+",
        "finalizer of the revision": rf"PATCH {_SET}/.+-2 \(JSON\)",
        "finalizers of the extension": f"PATCH {_EXTENSION}",
    },
}


@dataclass(frozen=True, slots=True)
class Gated:
    """OLM whose controller reaches the API server through a gate only."""

    world: World
    gate: WriteGate


@pytest.fixture(scope="module")
def gated(own_cluster: Cluster) -> Iterator[Gated]:
    own_cluster.install_olm()
    gate = WriteGate(own_cluster)
    flags = {"kubeconfig": str(gate.kubeconfig_for("operator-controller-controller-manager"))}
    with running_world(own_cluster, flags) as world:
        yield Gated(world, gate)
        gate.open()
    gate.stop()


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    """Two versions, of which the second drops an object."""
    kept = config_map(f"{name}-kept")
    return {
        "1.0.0": bundle_of(name, "1.0.0", kept, config_map(f"{name}-dropped"), crds=["things"]),
        "1.1.0": bundle_of(name, "1.1.0", kept, crds=["things"]),
    }


@pytest.fixture(scope="module")
def fleet(gated: Gated) -> Iterator[list[Operator]]:
    """One operator for each step of the longest rollout."""
    made = [Operator(gated.world).prepare() for _ in range(max(map(len, STEPS.values())))]
    publish(gated.world, "fleet", {operator.name: bundles(operator.name) for operator in made})
    yield made
    for operator in made:
        operator.forget()


def kill_at_every_step(gated: Gated, rollout: str, fleet: list[Operator], act: Callable[[Operator], None]) -> None:
    """Let the controller act on one extension after the other, and kill it each time after another step."""
    steps = list(STEPS[rollout].items())
    for (step, write), operator in zip(steps, fleet, strict=False):
        gated.gate.watch_for(operator.name, close_at=write)
        act(operator)
        expect(
            f"the {step} of {operator.name}: {write}",
            lambda: gated.gate.is_closed,
            lambda: "\n".join(map(str, gated.gate.seen)),
            60,
        )
        with down(gated.world.components.operator_controller):
            gated.gate.open()
    for operator in fleet[len(steps) :]:
        act(operator)


def test_install_upgrade_and_removal_survive_a_kill_after_every_step(gated: Gated, fleet: list[Operator]) -> None:
    world = gated.world
    before = take(world.kubectl)
    kill_at_every_step(gated, "install", fleet, lambda operator: operator.install(version="1.0.0"))
    for operator in fleet:
        operator.wait_installed("1.0.0")
        assert operator.lifecycle() == {f"{operator.name}-1": "Active"}
        wait_for(lambda one=operator: len(one.secrets()) == 1, f"one Secret of {operator.name}")  # type: ignore[misc]
    kill_at_every_step(gated, "upgrade", fleet, lambda operator: operator.install())
    for operator in fleet:
        operator.wait_installed("1.1.0")
        operator.wait_torn_down(1)
        assert operator.lifecycle() == {f"{operator.name}-1": "Archived", f"{operator.name}-2": "Active"}
        assert world.kubectl.get("configmap", f"{operator.name}-dropped", operator.namespace) is None
    kill_at_every_step(
        gated, "removal", fleet, lambda operator: world.kubectl.delete("clusterextension", operator.name, wait=False)
    )
    wait_for_inventory(world.kubectl, before, 60)
