"""What teardown does about objects that do not go, or cannot be let go of; the rest is tested on a real API server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from operator_controller.revisions.plan import plan_of
from operator_controller.rollout.teardown import Remains, Teardown
from operator_controller.uninstall import OnDelete
from tests.builders import an_object, an_object_set
from tests.fake_apiserver import Reply, fake_apiserver, status_of

GROUP = "apiextensions.k8s.io"


class Known(Discovery):
    async def resource_for(self, api_version: str, kind: str) -> Resource:
        del api_version, kind
        return CUSTOM_RESOURCE_DEFINITIONS


def a_definition(**metadata: Any) -> dict[str, Any]:
    made = an_object("CustomResourceDefinition", "things.example.com", f"{GROUP}/v1")
    return {**made, "metadata": {"name": "things.example.com", **metadata}}


@pytest.mark.parametrize(
    ("seconds", "count"), [pytest.param([0, 3], 0, id="soon"), pytest.param([0, 3, 6, 9, 12], 2, id="in the end")]
)
async def test_definition_that_does_not_go_is_touched_now_and_then(
    tmp_path: Path, seconds: list[float], count: int
) -> None:
    made = an_object_set(phases=[{"name": "crds", "objects": [{"object": a_definition()}]}])
    owner = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "uid-1", "controller": True}
    since = "2026-01-01T00:00:00Z"
    live = a_definition(uid="u", resourceVersion="7", ownerReferences=[owner], deletionTimestamp=since)
    clock = iter(seconds)
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(afterwards=Reply(live))
        teardown = Teardown(client, Known(client), lambda: next(clock))
        for _ in seconds:
            remains = await teardown.remove("uid-1", plan_of(made, {}, "system"), client, OnDelete.CASCADE)
            assert [key.name for key in remains.waiting] == ["things.example.com"]
    patches = [json.loads(request.body) for request in server.requests if request.method == "PATCH"]
    assert patches == [{"metadata": {"annotations": {"extras.olm.operatorframework.io/asked-again": "7"}}}] * count


async def test_nothing_is_deleted_while_something_that_stays_cannot_be_let_go_of(tmp_path: Path) -> None:
    phases = [
        {"name": "crds", "objects": [{"object": a_definition()}]},
        {"name": "deploy", "objects": [{"object": an_object()}]},
    ]
    owner = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "uid-1", "controller": True}
    live = a_definition(uid="u", resourceVersion="7", ownerReferences=[owner])
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(Reply(live), Reply(status_of(403, "Forbidden", "no"), 403))
        teardown, plan = Teardown(client, Known(client)), plan_of(an_object_set(phases=phases), {}, "system")
        remains = await teardown.remove("uid-1", plan, client, OnDelete.KEEP_CRDS)
    assert remains == Remains((), ("no",))
    assert [request.method for request in server.requests] == ["GET", "PATCH"]
