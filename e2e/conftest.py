"""One installation of OLM for all features, put back into its first state after every scenario."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.fixtures import cluster
from devcluster.processes import tail_of
from e2e.scene import Scene
from e2e.world import World

__all__ = ["cluster"]


@pytest.fixture(scope="session")
def world(cluster: Cluster) -> Iterator[World]:
    """OLM with the sample images, on the cluster of this session."""
    running = World.of_samples(cluster)
    yield running
    running.components.stop()


@pytest.fixture
def scene(world: World) -> Iterator[Scene]:
    """What one scenario makes, removed after it."""
    played = Scene(world)
    yield played
    for component in world.both:
        # pytest shows captured output of failed tests only
        print(f"--- end of {component.log} ---\n{tail_of(component.log, 25)}")  # noqa: T201
    played.clear()
