from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yaml

from devcluster.cluster import Cluster
from olmv1.kube.client import KubeClient
from tests.tcp_proxy import TcpProxy, tcp_proxy


@pytest.fixture
async def client(cluster: Cluster) -> AsyncIterator[KubeClient]:
    async with await KubeClient.connect(str(cluster.kubeconfig), user_agent="test/1") as connected:
        yield connected


@pytest.fixture
async def proxy(cluster: Cluster) -> AsyncIterator[TcpProxy]:
    config = yaml.safe_load(cluster.kubeconfig.read_text())
    port = int(config["clusters"][0]["cluster"]["server"].rpartition(":")[2])
    async with tcp_proxy(port) as running:
        yield running


@pytest.fixture
async def proxied(cluster: Cluster, proxy: TcpProxy, tmp_path: Path) -> AsyncIterator[KubeClient]:
    config = yaml.safe_load(cluster.kubeconfig.read_text())
    config["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{proxy.port}"
    path = tmp_path / "proxied.kubeconfig"
    path.write_text(yaml.safe_dump(config))
    async with await KubeClient.connect(str(path), user_agent="test/1") as connected:
        yield connected
