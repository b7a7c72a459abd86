from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.manifests import ObjectKey
from operator_controller.rollout.pods import PodReport, Pods
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of

TILL = ObjectKey("apps", "v1", "Deployment", "shop", "till")
TEXT = ('pod "till-1-x" container "c": ImagePullBackOff (image "till:v2")',)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient) -> None:
        self.server, self.clock = server, Clock()
        self.pods = Pods(client, self.clock)

    async def report(self, *keys: ObjectKey, at: float, is_old: bool = False) -> PodReport:
        self.clock.now = at
        return await self.pods.report("uid-1", keys or (TILL,), is_old=is_old)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        yield World(server, client)


def a_workload(kind: str = "Deployment", **selector: Any) -> Reply:
    selected = selector or {"matchLabels": {"app": "till"}}
    return Reply({"kind": kind, "metadata": {"name": "till", "uid": "uid-till"}, "spec": {"selector": selected}})


def a_pod(name: str = "till-1-x", kind: str = "ReplicaSet", owner: str = "till-1", **more: Any) -> dict[str, Any]:
    reference = {"kind": kind, "name": owner, "uid": "uid-till", "controller": True}
    waiting = {"name": "c", "state": {"waiting": {"reason": "ErrImagePull"}}}
    return {
        "metadata": {"name": name, "ownerReferences": [reference], **more},
        "spec": {"containers": [{"name": "c", "image": "till:v2"}]},
        "status": {"containerStatuses": [waiting]},
    }


def pods(*items: dict[str, Any]) -> Reply:
    return Reply({"kind": "PodList", "items": list(items), "metadata": {}})


async def test_report_asks_after_a_moment_and_then_ever_more_rarely(world: World) -> None:
    assert await world.report(at=0) == PodReport({}, 2.0)
    assert world.server.requests == []
    world.server.play(*[a_workload(), pods(a_pod())] * 3)
    waits = [(await world.report(at=at)) for at in (2, 3, 4, 8)]
    assert waits == [PodReport({TILL: TEXT}, wait) for wait in (2.0, 1.0, 4.0, 8.0)]
    assert [request.path for request in world.server.requests[:2]] == [
        "/apis/apps/v1/namespaces/shop/deployments/till",
        "/api/v1/namespaces/shop/pods",
    ]
    assert len(world.server.requests) == 6


async def test_report_never_waits_longer_than_five_minutes(world: World) -> None:
    world.server.play(*[a_workload(), pods(a_pod())] * 12)
    waits = [(await world.report(at=at * 1000, is_old=True)).look_in_s for at in range(12)]
    assert (waits[0], waits[-1]) == (2.0, 300.0)


async def test_report_forgets_what_is_healthy_again(world: World) -> None:
    world.server.play(a_workload(), pods(a_pod()))
    assert (await world.report(at=0, is_old=True)).texts == {TILL: TEXT}
    assert await world.pods.report("uid-1", (), is_old=False) == PodReport()
    assert await world.report(at=1) == PodReport({}, 2.0)
    world.pods.forget("uid-1")
    assert await world.report(at=9) == PodReport({}, 2.0)


async def test_report_asks_again_soon_when_the_answer_is_another(world: World) -> None:
    world.server.play(a_workload(), pods(), a_workload(), pods(a_pod()))
    assert await world.report(at=0, is_old=True) == PodReport({}, 4.0)
    assert await world.report(at=4) == PodReport({TILL: TEXT}, 2.0)


async def test_report_keeps_what_it_knows_when_it_is_refused(world: World) -> None:
    refused = Reply(status_of(403, "Forbidden", "no"), status=403)
    world.server.play(a_workload(), pods(a_pod()), refused)
    await world.report(at=0, is_old=True)
    assert await world.report(at=5) == PodReport({TILL: TEXT}, 4.0)


async def test_report_names_the_pods_of_the_workload_only(world: World) -> None:
    others = [
        a_pod("other-1", owner="other-1"),
        a_pod("gone", deletionTimestamp="2026-01-01T00:00:00Z"),
        {"metadata": {"name": "bare"}},
        a_pod("of-a-set", kind="StatefulSet"),
    ]
    world.server.play(a_workload(), pods(*others))
    assert (await world.report(at=0, is_old=True)).texts == {}


@pytest.mark.parametrize(
    ("group", "kind", "plural"),
    [("apps", "StatefulSet", "statefulsets"), ("apps", "DaemonSet", "daemonsets"), ("batch", "Job", "jobs")],
)
async def test_report_reads_every_kind_of_workload(world: World, group: str, kind: str, plural: str) -> None:
    key = ObjectKey(group, "v1", kind, "shop", "till")
    world.server.play(a_workload(kind), pods(a_pod("till-0", kind, "till")))
    texts = (await world.report(key, at=0, is_old=True)).texts
    assert texts == {key: ('pod "till-0" container "c": ImagePullBackOff (image "till:v2")',)}
    assert world.server.requests[0].path == f"/apis/{group}/v1/namespaces/shop/{plural}/till"


async def test_report_does_not_ask_about_other_kinds(world: World) -> None:
    key = ObjectKey("", "v1", "ConfigMap", "shop", "till")
    assert await world.report(key, at=0, is_old=True) == PodReport()


async def test_report_asks_about_a_bounded_number_of_workloads(world: World) -> None:
    world.server.play(afterwards=Reply(json.dumps(status_of(404, "NotFound", "no")).encode(), status=404))
    keys = [ObjectKey("apps", "v1", "Deployment", "shop", f"till-{number}") for number in range(15)]
    await world.report(*keys, at=0, is_old=True)
    assert len(world.server.requests) == 10


async def test_report_selects_pods_as_the_workload_does(world: World) -> None:
    expressions = [
        {"key": "a", "operator": "In", "values": ["1", "2"]},
        {"key": "b", "operator": "NotIn", "values": ["3"]},
        {"key": "c", "operator": "Exists"},
        {"key": "d", "operator": "DoesNotExist"},
    ]
    world.server.play(a_workload(matchLabels={"app": "till"}, matchExpressions=expressions), pods())
    await world.report(at=0, is_old=True)
    assert world.server.requests[1].query["labelSelector"] == "app=till,a in (1,2),b notin (3),c,!d"


async def test_report_selects_nothing_where_the_workload_selects_everything(world: World) -> None:
    world.server.play(a_workload(matchLabels={}))
    assert (await world.report(at=0, is_old=True)).texts == {}
    assert len(world.server.requests) == 1
