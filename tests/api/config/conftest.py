"""A client of the real API server that has our CRDs and roles, as they are in `config` now."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from devcluster.cluster import Cluster
from olmv1.kube.client import KubeClient


@pytest.fixture
async def client(olm: Cluster) -> AsyncIterator[KubeClient]:
    connected = await KubeClient.connect(str(olm.kubeconfig), user_agent="tests")
    try:
        yield connected
    finally:
        await connected.close()
