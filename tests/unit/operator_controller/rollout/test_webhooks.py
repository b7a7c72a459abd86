from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.plan import Plan, plan_of
from operator_controller.rollout.content import Contents
from operator_controller.rollout.webhooks import Webhooks
from tests.builders import an_object, an_object_set
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver

ADMISSION = "admissionregistration.k8s.io/v1"
FAILED = ['failed calling webhook "w.example.com": no endpoints', "other"]


def a_webhook(service: str = "svc") -> dict[str, Any]:
    client = {"service": {"namespace": "lantern-system", "name": service}}
    call = {"name": "w.example.com", "clientConfig": client}
    return an_object("ValidatingWebhookConfiguration", "hooks", ADMISSION, webhooks=[call])


def a_set() -> dict[str, Any]:
    objects = [{"object": item} for item in (an_object("Service", "svc"), an_object(), a_webhook())]
    return an_object_set(phases=[{"name": "one", "objects": objects}])


def plan() -> Plan:
    return plan_of(a_set(), {}, "system")


def an_owner(**siblings: int) -> Owner:
    return Owner("lantern-2", "uid-2", 2, siblings)


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient) -> None:
        self.server = server
        self.webhooks = Webhooks(client, Discovery(client), Contents(client, "system"))

    async def why_wait(self, body: dict[str, Any], owner: Owner | None = None, *, hindered: bool = False) -> str | None:
        return await self.webhooks.why_wait(plan(), owner or an_owner(), body, is_hindered=hindered)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(afterwards=Reply())
        yield World(server, client)


@pytest.mark.parametrize(
    "body", [pytest.param(an_object(), id="no webhook"), pytest.param(a_webhook("elsewhere"), id="service of others")]
)
async def test_why_wait_is_none_and_asks_nothing(world: World, body: dict[str, Any]) -> None:
    assert await world.why_wait(body) is None
    assert world.server.requests == []


async def test_webhook_is_left_to_a_newer_revision(world: World) -> None:
    assert await world.why_wait(a_webhook("elsewhere"), an_owner(old=1)) is None
    assert await world.why_wait(a_webhook("elsewhere"), an_owner(old=1, new=3)) == "is left to the newer revision"


async def test_webhook_waits_behind_objects_that_could_not_be_written(world: World) -> None:
    assert await world.why_wait(a_webhook("elsewhere"), hindered=True) == "waits for the objects before it"
    assert await world.why_wait(an_object(), hindered=True) is None


async def test_advice_is_given_about_own_webhooks_only(world: World) -> None:
    (line,) = await world.webhooks.advice(a_set(), plan(), FAILED)
    assert line.startswith("the revision cannot be written because of its own webhook w.example.com: ")
    assert await world.webhooks.advice(a_set(), plan(), ['failed calling webhook "x": no']) == ()
    assert await world.webhooks.advice(a_set(), plan(), ["other"]) == ()


async def test_advice_is_left_out_when_the_content_cannot_be_read(world: World) -> None:
    entry = {"ref": {"name": "gone", "key": "k"}}
    changed = an_object_set(phases=[{"name": "one", "objects": [entry] * 3}])
    assert await world.webhooks.advice(changed, plan(), FAILED) == ()
