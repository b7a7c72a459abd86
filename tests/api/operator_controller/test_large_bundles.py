"""A bundle of a thousand objects and ten megabytes, and what its rollout costs the API server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.audit import Request
from devcluster.waiting import wait_for
from e2e.world import World, expect, has_reached
from tests.api.operators import PREFIX, Operator, bundle_of, config_map

OBJECTS = 1000
BYTES = 10 * 1024 * 1024
DROPPED = 100
WRITES_PER_OBJECT = 1.2
PATIENCE_S = 240.0
CONTROLLER = "operator-controller-controller-manager"


@pytest.fixture(scope="module")
def large(world: World) -> Iterator[Operator]:
    """An operator of whose two versions the second lacks some objects."""
    made = Operator(world).prepare()
    objects = config_maps(made.name, OBJECTS - 1)  # one is the Deployment
    made.publish(
        {
            "1.0.0": bundle_of(made.name, "1.0.0", *objects),
            "1.1.0": bundle_of(made.name, "1.1.0", *objects[DROPPED:]),
        }
    )
    yield made
    made.forget()


def config_maps(name: str, count: int) -> list[dict[str, Any]]:
    """So many ConfigMaps of ten megabytes together, of text that hardly compresses."""
    dice = random.Random(7)
    size = BYTES // count // 2
    return [config_map(f"{name}-{number:04}", text=dice.randbytes(size).hex()) for number in range(count)]


def reach(operator: Operator, version: str) -> None:
    """Ask for `version` and wait until it is installed; for no version delete the extension and wait for its end."""
    world, name = operator.world, operator.name
    if version:
        operator.install(version=version)
    else:
        operator.kubectl.delete("clusterextension", name, wait=False)
    expect(
        f"{name} to have reached {version or 'its end'}",
        lambda: has_reached(world.extension(name), version),
        lambda: world.told("clusterextension", name),
        PATIENCE_S,
    )


def count_of(operator: Operator) -> int:
    """How many ConfigMaps of the operator there are."""
    selector = f"{PREFIX}/owner-name={operator.name}"
    names = operator.kubectl.run("get", "configmaps", "-n", operator.namespace, "-l", selector, "-o", "name")
    return len(names.split())


def writes(world: World, since: int) -> list[Request]:
    """Everything that the controller has changed, whatever it is; dry-runs change nothing."""
    found = world.cluster.audit.requests(user=CONTROLLER, since=since)
    return [request for request in found if request.is_write and "dryRun" not in request.uri]


def require_few(found: list[Request], objects: int) -> None:
    """At most so many writes for each object."""
    by_kind: dict[str, int] = {}
    for request in found:
        kind = f"{request.verb} {request.uri.partition('?')[0].rpartition('/')[0]}"
        by_kind[kind] = by_kind.get(kind, 0) + 1
    assert objects <= len(found) <= objects * WRITES_PER_OBJECT, by_kind


def test_thousand_objects_are_rolled_out_with_few_writes(world: World, large: Operator) -> None:
    mark = world.cluster.audit.position()
    reach(large, "1.0.0")
    require_few(writes(world, mark), OBJECTS)
    assert count_of(large) == OBJECTS - 1
    (revision,) = large.sets()
    assert max(len(phase["objects"]) for phase in revision["spec"]["phases"]) <= 50
    names = [phase["name"] for phase in revision["spec"]["phases"]]
    assert names == ["configuration", *(f"configuration-{number}" for number in range(2, 21)), "deploy"]
    assert len(large.secrets()) > 10

    mark = world.cluster.audit.position()
    reach(large, "1.1.0")
    large.wait_torn_down(1)
    wait_for(lambda: count_of(large) == OBJECTS - 1 - DROPPED, "the dropped objects to be gone")
    require_few(writes(world, mark), OBJECTS)

    mark = world.cluster.audit.position()
    reach(large, "")
    large.wait_nothing_left()
    require_few(writes(world, mark), OBJECTS - DROPPED)
