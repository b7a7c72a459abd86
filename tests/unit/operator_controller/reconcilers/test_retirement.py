"""The end of revisions whose account is gone; the usual end is tested in tests/api."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import SERVICE_ACCOUNTS, Resource
from operator_controller.outcome.object_set import ObjectSetOutcome
from operator_controller.reconcilers.retirement import Retirement
from operator_controller.reconcilers.writers import Writers
from operator_controller.rollout.content import Contents
from operator_controller.rollout.teardown import Teardown
from tests.builders import an_object, an_object_set
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache

ACCOUNT = {
    "olm.operatorframework.io/service-account-name": "installer",
    "olm.operatorframework.io/service-account-namespace": "lantern-system",
}
NO_ACCOUNT = 'service account "installer" not found in namespace "lantern-system"'


class Known(Discovery):
    async def resource_for(self, api_version: str, kind: str) -> Resource:
        return Resource("", api_version, f"{kind.lower()}s", kind, True)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


async def retired(server: FakeApiServer) -> tuple[str, ...]:
    """What is left to garbage collection of a set with one object whose account is gone."""
    made = an_object_set(annotations=ACCOUNT, phases=[{"name": "one", "objects": [{"object": an_object()}]}])
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client:
        writers = Writers(client, FedCache(SERVICE_ACCOUNTS), allow_unscoped=False)
        retirement = Retirement(writers, Contents(client, "system"), Teardown(client, Known(client)))
        return (await retirement.step(made, ObjectSetOutcome()))[1]


def a_live(uid: str = "uid-1", policy: str = "keep") -> Reply:
    owner = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": uid, "controller": True}
    metadata = {"uid": "u", "ownerReferences": [owner], "annotations": {"helm.sh/resource-policy": policy}}
    return Reply(an_object(metadata=metadata))


async def test_what_is_to_be_kept_is_not_left_to_garbage_collection(server: FakeApiServer) -> None:
    server.play(a_live())
    with pytest.raises(RetryableError) as raised:
        await retired(server)
    text = f"ConfigMap.v1 lantern-system/thing: is to be kept, and the revision cannot let go of it: {NO_ACCOUNT}"
    assert str(raised.value) == text


@pytest.mark.parametrize(
    "live",
    [
        pytest.param(a_live(policy="x"), id="not kept"),
        pytest.param(a_live(uid="uid-2"), id="of another revision"),
        pytest.param(Reply(status_of(404, "NotFound", "gone"), 404), id="gone"),
    ],
)
async def test_everything_else_is_left_to_garbage_collection(server: FakeApiServer, live: Reply) -> None:
    server.play(live)
    assert await retired(server) == (NO_ACCOUNT,)


async def test_answer_that_cannot_be_had_lets_nothing_go(server: FakeApiServer) -> None:
    server.play(Reply(status_of(403, "Forbidden", "no"), 403))
    with pytest.raises(RetryableError, match=r"^no$"):
        await retired(server)
