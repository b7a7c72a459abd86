from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, DEPLOYMENTS, SECRETS, Resource


@pytest.mark.parametrize(
    ("api_version", "kind", "resource"),
    [
        pytest.param("v1", "Secret", SECRETS, id="core"),
        pytest.param("apps/v1", "Deployment", DEPLOYMENTS, id="group"),
        pytest.param(
            "apiextensions.k8s.io/v1", "CustomResourceDefinition", CUSTOM_RESOURCE_DEFINITIONS, id="cluster-scoped"
        ),
    ],
)
async def test_discovery_finds_built_in_kinds(
    client: KubeClient, api_version: str, kind: str, resource: Resource
) -> None:
    assert await Discovery(client).resource_for(api_version, kind) == resource


async def test_a_kind_that_is_not_served_is_named(client: KubeClient) -> None:
    with pytest.raises(NoSuchKind, match=r'^no matches for kind "Till" in version "example\.com/v1"$'):
        await Discovery(client).resource_for("example.com/v1", "Till")


async def test_groups_and_kinds_are_known(client: KubeClient) -> None:
    discovery = Discovery(client)
    asked = [("apps", None), ("apps", "Deployment"), ("apps", "Till"), ("cert-manager.io", None)]
    assert [await discovery.serves(*question) for question in asked] == [True, True, False, False]


async def test_a_kind_that_comes_later_is_found_without_being_told(client: KubeClient) -> None:
    discovery = Discovery(client)
    group = f"{uuid4().hex[:8]}.example.com"
    assert not await discovery.serves(group)
    schema = {"openAPIV3Schema": {"type": "object"}}
    names = {"plural": "tills", "singular": "till", "kind": "Till", "listKind": "TillList"}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": schema}]
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"tills.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": versions},
    }
    await client.create(CUSTOM_RESOURCE_DEFINITIONS, definition)
    try:
        async with asyncio.timeout(20):
            while not await discovery.serves(group, "Till"):  # noqa: ASYNC110 - the condition is the server's
                await asyncio.sleep(0.1)
        found = await discovery.resource_for(f"{group}/v1", "Till")
        assert found == Resource(group, "v1", "tills", "Till", namespaced=True)
    finally:
        await client.delete(CUSTOM_RESOURCE_DEFINITIONS, f"tills.{group}")


async def test_everything_served_is_known_with_the_version(client: KubeClient) -> None:
    discovery = Discovery(client)
    served = await discovery.served()
    assert (served.has("apps", "Deployment"), served.has("apps", "Deployment", "v1beta1")) == (True, False)
    assert {"v1", "v1/Secret", "apps/v1/Deployment"} <= set(served.api_versions)
    assert served.kube_version.count(".") == 2
    assert await discovery.served() is served
