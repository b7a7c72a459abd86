from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from olmv1.kube.client import KubeClient
from tests.fake_apiserver import FakeApiServer, fake_apiserver


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


@pytest.fixture
async def client(server: FakeApiServer) -> AsyncIterator[KubeClient]:
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1") as connected:
        yield connected
