from __future__ import annotations

import asyncio

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.events import EventRecorder
from olmv1.kube.resources import CONFIG_MAPS, EVENTS, NAMESPACES
from olmv1.manifests import Manifest
from tests.waiting import eventually


async def written(client: KubeClient, about: Manifest, namespace: str) -> tuple[Manifest, ...]:
    found = (await client.list(EVENTS, namespace)).items
    return tuple(event for event in found if event["regarding"].get("uid") == about["metadata"]["uid"])


@pytest.mark.parametrize("is_namespaced", [True, False], ids=["namespaced", "cluster-scoped"])
async def test_an_event_is_found_under_its_object(client: KubeClient, namespace: str, is_namespaced: bool) -> None:
    resource, name = (CONFIG_MAPS, "kube-root-ca.crt") if is_namespaced else (NAMESPACES, namespace)
    if is_namespaced:
        manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "till", "namespace": namespace}}
        name = (await client.create(CONFIG_MAPS, manifest))["metadata"]["name"]
    about = await client.get(resource, name, namespace)
    recorder = EventRecorder(client, "operator-controller", "host-1")
    where = namespace if is_namespaced else "default"
    events: tuple[Manifest, ...] = ()
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        task = group.create_task(recorder.run())
        recorder.emit(about, type_="Warning", reason="Blocked", message="no bundle fits", action="Resolve")
        while not events:
            events = await written(client, about, where)
        task.cancel()
    (event,) = events
    fields = ("type", "reason", "note", "action", "reportingController", "reportingInstance")
    assert [event[field] for field in fields] == [
        "Warning",
        "Blocked",
        "no bundle fits",
        "Resolve",
        "operator-controller",
        "host-1",
    ]


async def test_repeats_raise_the_count_of_one_event(client: KubeClient, namespace: str) -> None:
    about = await client.get(NAMESPACES, namespace)
    recorder = EventRecorder(client, "operator-controller", "host-1")
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        task = group.create_task(recorder.run())
        for message in ("one", "one", "two", "one"):
            recorder.emit(about, type_="Normal", reason="Upgraded", message=message, action="Upgrade")
        await eventually(lambda: recorder.waiting == 0)
        found: dict[str, int | None] = {}
        while found != {"one": 3, "two": None}:
            events = await written(client, about, "default")
            found = {event["note"]: (event.get("series") or {}).get("count") for event in events}
        task.cancel()
