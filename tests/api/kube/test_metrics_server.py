from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, SERVICE_ACCOUNTS
from olmv1.telemetry.listen import BindAddress
from olmv1.telemetry.metrics_server import MetricsServer, new_registry
from tests.certificates import self_signed


@pytest.fixture
async def server(client: KubeClient, tmp_path: Path) -> AsyncIterator[MetricsServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed(tmp_path))
    async with MetricsServer(BindAddress("127.0.0.1", 0), new_registry(), client, context=context) as server:
        yield server


async def a_token(client: KubeClient, namespace: str, name: str) -> str:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": namespace}}
    await client.create(SERVICE_ACCOUNTS, account)
    path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
    token: str = (await client.post(path, {"spec": {}}))["status"]["token"]
    return token


async def scrape(server: MetricsServer, token: str) -> tuple[int, str]:
    url, headers = f"https://127.0.0.1:{server.port}/metrics", {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers, ssl=False) as answer:
        return answer.status, await answer.text()


async def test_an_unknown_token_is_not_accepted(server: MetricsServer) -> None:
    assert await scrape(server, "nonsense") == (401, "Unauthorized\n")


async def test_a_known_account_without_the_right_is_denied(
    client: KubeClient, server: MetricsServer, namespace: str
) -> None:
    token = await a_token(client, namespace, "stranger")
    user = f"system:serviceaccount:{namespace}:stranger"
    assert await scrape(server, token) == (403, f"Authorization denied for user {user}\n")


async def test_an_account_with_the_right_reads_metrics(
    client: KubeClient, server: MetricsServer, namespace: str
) -> None:
    token = await a_token(client, namespace, "scraper")
    metadata = {"name": f"{namespace}-metrics"}
    rules = [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]
    role = {"apiVersion": CLUSTER_ROLES.api_version, "kind": "ClusterRole", "metadata": metadata, "rules": rules}
    subjects = [{"kind": "ServiceAccount", "name": "scraper", "namespace": namespace}]
    reference = {"apiGroup": CLUSTER_ROLES.group, "kind": "ClusterRole", "name": metadata["name"]}
    binding = {**role, "kind": "ClusterRoleBinding", "subjects": subjects, "roleRef": reference}
    del binding["rules"]
    await client.create(CLUSTER_ROLES, role)
    await client.create(CLUSTER_ROLE_BINDINGS, binding)
    try:
        status, text = await scrape(server, token)
    finally:
        await client.delete(CLUSTER_ROLE_BINDINGS, metadata["name"])
        await client.delete(CLUSTER_ROLES, metadata["name"])
    assert (status, "process_cpu_seconds_total" in text) == (200, True)
