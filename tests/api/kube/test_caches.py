from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from olmv1.kube.caches import Cache, Caches, Change, Patience
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound
from olmv1.kube.queue import Backoff
from olmv1.kube.resources import CONFIG_MAPS, CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.selectors import Selector
from tests.tcp_proxy import TcpProxy
from tests.waiting import eventually

QUICK = Patience(Backoff(0.02, 2.0, 0.2))


def a_config_map(namespace: str, name: str, **data: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "labels": {"app": "till"}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


@pytest.fixture
async def caches(client: KubeClient) -> AsyncIterator[Caches]:
    async with Caches(client, patience=QUICK) as running:
        yield running


def told_by(cache: Cache) -> list[tuple[str, str]]:
    told: list[tuple[str, str]] = []

    def remember(change: Change) -> None:
        told.append((change.type, change.object["metadata"]["name"]))

    cache.add_handler(remember)
    return told


async def synced(cache: Cache) -> None:
    await asyncio.wait_for(cache.wait_synced(), 10)


async def test_a_cache_begins_with_what_is_there_and_follows(
    client: KubeClient, caches: Caches, namespace: str
) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, "a"))
    cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=till")
    told = told_by(cache)
    await synced(cache)
    assert told == [("ADDED", "a")]
    await client.create(CONFIG_MAPS, a_config_map(namespace, "b"))
    await client.patch(CONFIG_MAPS, "a", {"data": {"k": "v"}}, namespace=namespace)
    await client.delete(CONFIG_MAPS, "b", namespace)
    await eventually(lambda: len(told) == 4)
    assert told[1:] == [("ADDED", "b"), ("MODIFIED", "a"), ("DELETED", "b")]
    (found,) = cache.items(Selector.parse({"matchLabels": {"app": "till"}}))
    assert (found["data"], "managedFields" in found["metadata"]) == ({"k": "v"}, False)


async def test_an_object_that_leaves_the_selector_is_deleted_from_the_cache(
    client: KubeClient, caches: Caches, namespace: str
) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, "a"))
    cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=till")
    told = told_by(cache)
    await synced(cache)
    await client.patch(CONFIG_MAPS, "a", {"metadata": {"labels": {"app": "desk"}}}, namespace=namespace)
    await eventually(lambda: len(told) == 2)
    assert (told, cache.items()) == ([("ADDED", "a"), ("DELETED", "a")], ())


async def test_a_metadata_only_cache_holds_no_content(client: KubeClient, caches: Caches, namespace: str) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, "a", key="value"))
    cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=till", metadata_only=True)
    await synced(cache)
    await client.create(CONFIG_MAPS, a_config_map(namespace, "b", key="value"))
    await eventually(lambda: cache.get("b", namespace))
    assert [(item["kind"], item["metadata"]["name"], "data" in item) for item in cache.items()] == [
        ("ConfigMap", "a", False),
        ("ConfigMap", "b", False),
    ]


async def test_managed_fields_are_kept_when_asked_for(client: KubeClient, caches: Caches, namespace: str) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, "a"))
    cache = caches.open(CONFIG_MAPS, namespace=namespace, keep_managed_fields=True)
    await synced(cache)
    assert (cache.get("a", namespace) or {})["metadata"]["managedFields"]


async def test_a_cut_watch_misses_nothing_and_repeats_nothing(
    client: KubeClient, proxied: KubeClient, proxy: TcpProxy, namespace: str
) -> None:
    async with Caches(proxied, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=till")
        told = told_by(cache)
        await synced(cache)
        for number in range(5):
            await client.create(CONFIG_MAPS, a_config_map(namespace, f"map-{number}"))
            proxy.cut(stay_down=True)
            await client.create(CONFIG_MAPS, a_config_map(namespace, f"late-{number}"))
            proxy.heal()
        await eventually(lambda: len(told) >= 10)
    assert told == [("ADDED", f"{word}-{number}") for number in range(5) for word in ("map", "late")]


async def test_a_watch_from_a_version_that_is_too_old_lists_again(
    client: KubeClient, proxied: KubeClient, proxy: TcpProxy, namespace: str
) -> None:
    await client.create(CONFIG_MAPS, a_config_map(namespace, "stays"))
    await client.create(CONFIG_MAPS, a_config_map(namespace, "goes"))
    async with Caches(proxied, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=till")
        told = told_by(cache)
        await synced(cache)
        proxy.cut(stay_down=True)
        await client.delete(CONFIG_MAPS, "goes", namespace)
        cache._version = "1"  # what a long outage and a compaction make of it
        proxy.heal()
        await eventually(lambda: len(told) == 3)
    assert told == [("ADDED", "goes"), ("ADDED", "stays"), ("DELETED", "goes")]


async def test_an_empty_collection_is_synced(caches: Caches, namespace: str) -> None:
    cache = caches.open(CONFIG_MAPS, namespace=namespace, label_selector="app=none")
    await synced(cache)
    assert cache.items() == ()


async def test_a_kind_that_comes_and_goes_is_followed(client: KubeClient, caches: Caches) -> None:
    group = f"{uuid4().hex[:8]}.example.com"
    resource = Resource(group, "v1", "tills", "Till", namespaced=False)
    cache = caches.open(resource)
    told = told_by(cache)
    await synced(cache)
    definition = a_definition(resource)
    await client.create(CUSTOM_RESOURCE_DEFINITIONS, definition)
    try:
        await until_created(client, resource)
        await eventually(lambda: told)
    finally:
        await client.delete(CUSTOM_RESOURCE_DEFINITIONS, definition["metadata"]["name"])
    await eventually(lambda: len(told) == 2)
    assert (told, cache.items()) == ([("ADDED", "one"), ("DELETED", "one")], ())


def a_definition(resource: Resource) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    version = {"name": resource.version, "served": True, "storage": True, "schema": schema}
    names = {"plural": resource.plural, "singular": "till", "kind": resource.kind, "listKind": f"{resource.kind}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{resource.plural}.{resource.group}"},
        "spec": {"group": resource.group, "scope": "Cluster", "names": names, "versions": [version]},
    }


async def until_created(client: KubeClient, resource: Resource) -> None:
    manifest = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {"name": "one"}}
    async with asyncio.timeout(20):
        while True:
            try:
                await client.create(resource, manifest)
                return
            except NotFound:
                await asyncio.sleep(0.1)
