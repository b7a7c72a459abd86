"""An API server that hangs or goes away for a while: both components wait, and go on where they were."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map

AWAY_S = 12.0


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    made = Operator(world)
    bundles = {
        version: bundle_of(made.name, version, config_map(f"{made.name}-v", v=version), crds=["things"])
        for version in ("1.0.0", "1.1.0")
    }
    made.prepare().publish(bundles)
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


@contextmanager
def asleep(world: World, name: str) -> Iterator[None]:
    """A program of the control plane stops in the middle of what it does, for a while at least."""
    plane = world.cluster.control_plane
    assert plane is not None
    process, since = plane.processes[name], time.monotonic()
    process.signal(signal.SIGSTOP)
    try:
        yield
        wait_for(lambda: time.monotonic() - since > AWAY_S, "time to pass")
    finally:
        process.signal(signal.SIGCONT)


@pytest.mark.parametrize("program", ["kube-apiserver", "etcd"])
def test_components_outlast_a_hanging_control_plane(world: World, operator: Operator, program: str) -> None:
    operator.install(version="1.0.0")
    wait_for(operator.sets, "a revision")
    with asleep(world, program):
        pids = [component.pid for component in world.both]
    operator.wait_installed("1.0.0")
    operator.install()
    operator.wait_installed("1.1.0")
    assert [component.pid for component in world.both if component.is_running] == pids
    assert all(component.is_ready() for component in world.both)
