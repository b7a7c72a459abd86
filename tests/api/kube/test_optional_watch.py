from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest

from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import NotFound
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from tests.waiting import eventually


@pytest.fixture
async def tills(client: KubeClient) -> AsyncIterator[Resource]:
    group = f"g{uuid4().hex[:8]}.example.com"
    yield Resource(group, "v1", "tills", "Till", False)
    with suppress(NotFound):
        await client.delete(CUSTOM_RESOURCE_DEFINITIONS, f"tills.{group}")


def a_definition(resource: Resource) -> Mapping[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{resource.plural}.{resource.group}"},
        "spec": {
            "group": resource.group,
            "names": {"kind": resource.kind, "plural": resource.plural},
            "scope": "Cluster",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


async def test_a_kind_that_comes_later_is_watched_and_let_go(client: KubeClient, tills: Resource) -> None:
    discovery, told = Discovery(client), list[str]()
    async with Caches(client) as caches:
        watch = OptionalWatch(caches, discovery, tills, lambda change: told.append(change.type))
        assert (await watch.cache(), watch.definition) == (None, f"tills.{tills.group}")
        await client.create(CUSTOM_RESOURCE_DEFINITIONS, a_definition(tills))
        cache = None
        async with asyncio.timeout(20):
            while cache is None:
                discovery.invalidate()
                cache = await watch.cache()
        await client.create(tills, {"apiVersion": f"{tills.group}/v1", "kind": "Till", "metadata": {"name": "one"}})
        await eventually(lambda: told == ["ADDED"])
        assert cache.get("one") is not None
        await client.delete(CUSTOM_RESOURCE_DEFINITIONS, watch.definition)
        async with asyncio.timeout(20):
            while await watch.cache() is not None:
                discovery.invalidate()
