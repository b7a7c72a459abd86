"""Every test below runs against a real control plane: one per session, started on first use."""

from __future__ import annotations

from pathlib import Path

import pytest

from devcluster.fixtures import cluster, components, kubectl, namespace, new_cluster, olm, own_cluster, registry

__all__ = ["cluster", "components", "kubectl", "namespace", "new_cluster", "olm", "own_cluster", "registry"]

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.api)
