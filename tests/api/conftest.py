"""Every test below runs against a real control plane: one per session, started on first use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.fixtures import cluster, components, kubectl, namespace, new_cluster, olm, own_cluster, registry
from e2e.world import World
from tests.api.operators import running_world

__all__ = ["cluster", "components", "kubectl", "namespace", "new_cluster", "olm", "own_cluster", "registry"]

_HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def world(own_cluster: Cluster) -> Iterator[World]:
    """Both components on a cluster of the module's own; who needs other ones says so in its own file."""
    with running_world(own_cluster) as made:
        yield made


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.api)
