from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from olmv1.constraints import Ruling
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import Resource
from operator_controller.revisions.probes import ProbeResult, Truth, parse_probes
from operator_controller.rollout.disputes import Spot
from operator_controller.rollout.judging import Judging
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of

CONFIG_MAPS = Resource("", "v1", "configmaps", "ConfigMap", namespaced=True)
RULE = "self.metadata.labels.size == 'large'"
ASSERTION = {"type": "CEL", "cel": {"rule": RULE, "message": "is large"}}
PROBES = parse_probes(
    [{"selector": {"type": "GroupKind", "groupKind": {"group": "", "kind": "ConfigMap"}}, "assertions": [ASSERTION]}]
)
MORE_THAN_THREADS = 100


class SlowRules:
    """Answers when the test lets it."""

    def __init__(self) -> None:
        self.may_go = threading.Event()

    def judge(self, rule: str, obj: Mapping[str, Any]) -> Ruling:
        assert rule == RULE
        self.may_go.wait(60)
        return Ruling(holds=(obj["metadata"]["name"] == "c-0",), errors=("",))


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient, rules: SlowRules) -> None:
        self.server, self.rules = server, rules
        self.judging = Judging(client, rules)

    async def judged(self, number: int) -> ProbeResult:
        return await self.judging.judge("uid-1", a_spot(number), a_config_map(number), PROBES)


@pytest.fixture
def rules() -> Iterator[SlowRules]:
    found = SlowRules()
    yield found
    found.may_go.set()


@pytest.fixture
async def world(tmp_path: Path, rules: SlowRules) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        yield World(server, client, rules)


def a_config_map(number: int = 0, **data: str) -> dict[str, Any]:
    metadata = {"name": f"c-{number}", "namespace": "shop", "resourceVersion": "7"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **({"data": data} if data else {})}


def a_spot(number: int = 0) -> Spot:
    return (CONFIG_MAPS, "shop", f"c-{number}")


async def test_rules_that_take_long_leave_threads_to_everything_else(world: World) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(world.judged(number)) for number in range(MORE_THAN_THREADS)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 30) == "free"
        assert not any(task.done() for task in tasks)
        world.rules.may_go.set()
    assert [task.result().truth for task in tasks] == [Truth.TRUE] + [Truth.FALSE] * (MORE_THAN_THREADS - 1)


async def test_collision_is_compared_with_the_whole_object_once_per_version(world: World) -> None:
    world.server.play(Reply(a_config_map(a="theirs")))
    live, wanted = a_config_map(), a_config_map(a="ours", b="ours")
    details = [await world.judging.collision("uid-1", a_spot(), live, wanted) for _ in range(2)]
    assert details == ["Comparison:\n- Removed:\n  .data.b\nConflicting Owner: nil"] * 2
    assert len(world.server.requests) == 1


async def test_collision_with_an_object_that_went_meanwhile_is_told_by_what_was_seen(world: World) -> None:
    world.server.play(Reply(status_of(404, "NotFound", "gone"), 404))
    text = await world.judging.collision("uid-1", a_spot(), a_config_map(), a_config_map(a="ours"))
    assert text == "Comparison:\n- Removed:\n  .data.a\nConflicting Owner: nil"
