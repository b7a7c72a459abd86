"""The controller killed right after its first, second, third … write about an extension: every time all ends well."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from devcluster.cluster import Cluster
from e2e.inventory import take, wait_for_inventory
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map, down, publish, running_world, wait_for_writes

KILLS = range(1, 11)


@pytest.fixture(scope="module")
def world(own_cluster: Cluster) -> Iterator[World]:
    with running_world(own_cluster) as made:
        yield made


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    """Two versions, of which the second drops an object."""
    kept = config_map(f"{name}-kept")
    return {
        "1.0.0": bundle_of(name, "1.0.0", kept, config_map(f"{name}-dropped"), crds=["things"]),
        "1.1.0": bundle_of(name, "1.1.0", kept, crds=["things"]),
    }


@pytest.fixture(scope="module")
def fleet(world: World) -> Iterator[list[Operator]]:
    """One operator for each kill."""
    made = [Operator(world).prepare() for _ in KILLS]
    publish(world, "fleet", {operator.name: bundles(operator.name) for operator in made})
    yield made
    for operator in made:
        operator.forget()


def kill_in_turn(fleet: list[Operator], act: Callable[[Operator], None]) -> None:
    """Let the controller act on one extension after the other, and kill it after one write more each time."""
    for count, operator in zip(KILLS, fleet, strict=True):
        mark = operator.world.cluster.audit.position()
        act(operator)
        wait_for_writes(operator, count, since=mark)
        with down(operator.world.components.operator_controller):
            pass


def test_install_upgrade_and_removal_survive_a_kill_after_each_write(world: World, fleet: list[Operator]) -> None:
    before = take(world.kubectl)
    kill_in_turn(fleet, lambda operator: operator.install(version="1.0.0"))
    for operator in fleet:
        operator.wait_installed("1.0.0")
        assert operator.lifecycle() == {f"{operator.name}-1": "Active"}
        assert len(operator.secrets()) == 1
    kill_in_turn(fleet, lambda operator: operator.install())
    for operator in fleet:
        operator.wait_installed("1.1.0")
        operator.wait_torn_down(1)
        assert operator.lifecycle() == {f"{operator.name}-1": "Archived", f"{operator.name}-2": "Active"}
        assert world.kubectl.get("configmap", f"{operator.name}-dropped", operator.namespace) is None
    kill_in_turn(fleet, lambda operator: world.kubectl.delete("clusterextension", operator.name, wait=False))
    wait_for_inventory(world.kubectl, before)
