"""What an inventory does about kinds that cannot be listed; what it finds is tested against a real API server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.served import Served
from operator_controller.rollout.inventory import Inventory
from tests.builders import an_object
from tests.fake_apiserver import Reply, fake_apiserver, status_of

CONFIG_MAPS = Resource("", "v1", "configmaps", "ConfigMap", True)
REFUSED = Reply(status_of(403, "Forbidden", "no"), 403)


class OneKind(Discovery):
    def __init__(self, client: KubeClient, resource: Resource, *, is_gone: bool = False) -> None:
        super().__init__(client)
        self.resource, self.is_gone = resource, is_gone

    async def served(self) -> Served:
        return Served("1.36.3", frozenset({(self.resource.group, self.resource.version, self.resource.kind)}))

    async def resource_for(self, api_version: str, kind: str) -> Resource:
        if self.is_gone:
            raise NoSuchKind(api_version, kind)
        return self.resource


def owned(name: str, uid: str = "uid-1", **metadata: Any) -> dict[str, Any]:
    owner = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": uid, "controller": True}
    return an_object(name=name, metadata={"name": name, "uid": "u", "ownerReferences": [owner], **metadata})


def a_list(*items: dict[str, Any]) -> Reply:
    return Reply({"kind": "PartialObjectMetadataList", "metadata": {"resourceVersion": "7"}, "items": list(items)})


async def found(tmp_path: Path, resource: Resource, reply: Reply, *, is_gone: bool = False) -> list[str]:
    """The names of what the revision brought; asked for twice, it is looked for once."""
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(afterwards=reply)
        inventory = Inventory(client, OneKind(client, resource, is_gone=is_gone))
        plan = await inventory.plan("uid-1")
        assert await inventory.plan("uid-1") is plan
        assert len(server.requests) == int(not is_gone)
        return [planned.key.name for planned in plan.objects]


async def test_objects_are_those_that_the_revision_controls(tmp_path: Path) -> None:
    content = {"olm.operatorframework.io/revision-name": "lantern-1"}
    listed = a_list(owned("a"), owned("b", uid="uid-2"), owned("c", labels=content), an_object(name="d"))
    assert await found(tmp_path, CONFIG_MAPS, listed) == ["a", "c"]
    secrets = Resource("", "v1", "secrets", "Secret", True)
    assert await found(tmp_path, secrets, listed) == ["a"]


@pytest.mark.parametrize(
    ("reply", "is_gone"), [pytest.param(REFUSED, False, id="refused"), pytest.param(REFUSED, True, id="gone meanwhile")]
)
async def test_kind_that_cannot_be_listed_is_passed_over(tmp_path: Path, reply: Reply, is_gone: bool) -> None:
    assert await found(tmp_path, CONFIG_MAPS, reply, is_gone=is_gone) == []


async def test_definitions_are_never_passed_over(tmp_path: Path) -> None:
    with pytest.raises(RetryableError, match=r"^no$"):
        await found(tmp_path, CUSTOM_RESOURCE_DEFINITIONS, REFUSED)
