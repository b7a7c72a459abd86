"""The end of revisions whose account is gone; the usual end is tested in tests/api."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from olmv1.api.names import FINALIZER_CONTENT_MANAGER
from olmv1.errors import RetryableError, TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import SERVICE_ACCOUNTS, Resource
from operator_controller.outcome.object_set import ObjectSetOutcome
from operator_controller.reconcilers.retirement import Retirement
from operator_controller.reconcilers.writers import Writers
from operator_controller.rollout.content import Contents
from operator_controller.rollout.teardown import Teardown
from operator_controller.uninstall import ANNOTATION_ON_DELETE
from tests.builders import an_object, an_object_set
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache

ACCOUNT = {
    "olm.operatorframework.io/service-account-name": "installer",
    "olm.operatorframework.io/service-account-namespace": "lantern-system",
}
SINCE = "2026-01-01T00:00:00Z"
GONE = Reply(status_of(404, "NotFound", "gone"), 404)
NO_ACCOUNT = 'service account "installer" not found in namespace "lantern-system"'


class Known(Discovery):
    async def resource_for(self, api_version: str, kind: str) -> Resource:
        return Resource("", api_version, f"{kind.lower()}s", kind, True)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


async def retired(server: FakeApiServer, asked: str = "", **metadata: Any) -> tuple[str, ...]:
    """What is left to garbage collection of a set with one object whose account is gone."""
    annotations = {**ACCOUNT, **({ANNOTATION_ON_DELETE: asked} if asked else {})}
    made = an_object_set(annotations=annotations, phases=[{"name": "one", "objects": [{"object": an_object()}]}])
    made["metadata"] |= metadata
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client:
        writers = Writers(client, FedCache(SERVICE_ACCOUNTS), allow_unscoped=False)
        retirement = Retirement(client, writers, Contents(client, "system"), Teardown(client, Known(client)))
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
        pytest.param(GONE, id="gone"),
    ],
)
async def test_everything_else_is_left_to_garbage_collection(server: FakeApiServer, live: Reply) -> None:
    server.play(live)
    assert await retired(server) == (NO_ACCOUNT,)


async def test_answer_that_cannot_be_had_lets_nothing_go(server: FakeApiServer) -> None:
    server.play(Reply(status_of(403, "Forbidden", "no"), 403))
    with pytest.raises(RetryableError, match=r"^no$"):
        await retired(server)


async def test_what_the_person_keeps_is_not_left_to_garbage_collection(server: FakeApiServer) -> None:
    server.play(a_live(policy="x"))
    with pytest.raises(RetryableError) as raised:
        await retired(server, "Orphan", deletionTimestamp=SINCE)
    text = f"ConfigMap.v1 lantern-system/thing: is to be kept, and the revision cannot let go of it: {NO_ACCOUNT}"
    assert str(raised.value) == text


@pytest.mark.parametrize(
    ("asked", "refusals"), [pytest.param("Orphan", (NO_ACCOUNT,), id="by us"), pytest.param("", (), id="by a person")]
)
async def test_what_the_api_server_orphans_needs_no_account(
    server: FakeApiServer, asked: str, refusals: tuple[str, ...]
) -> None:
    assert await retired(server, asked, deletionTimestamp=SINCE, finalizers=["orphan"]) == refusals
    assert server.requests == []


async def test_choice_that_does_not_exist_takes_nothing_down(server: FakeApiServer) -> None:
    with pytest.raises(TerminalError) as raised:
        await retired(server, "keep", deletionTimestamp=SINCE)
    text = f'annotation "{ANNOTATION_ON_DELETE}": expected one of Cascade, KeepCRDs, Orphan, found "keep"'
    assert (str(raised.value), server.requests) == (text, [])


def an_ending(*finalizers: str, uid: str = "uid-ext", since: str | None = SINCE) -> Reply:
    """The extension as it is read again."""
    metadata = {"name": "lantern", "uid": uid, "finalizers": list(finalizers)}
    return Reply({"metadata": metadata if since is None else {**metadata, "deletionTimestamp": since}})


OWNERS = [{"kind": "ClusterExtension", "name": "lantern", "uid": "uid-ext", "controller": True}]


async def test_revision_waits_until_its_extension_has_decided(server: FakeApiServer) -> None:
    server.play(an_ending(FINALIZER_CONTENT_MANAGER))
    with pytest.raises(RetryableError) as raised:
        await retired(server, deletionTimestamp=SINCE, ownerReferences=OWNERS)
    text = 'ClusterExtension "lantern" is being deleted, and it is not decided yet what becomes of its objects'
    assert (str(raised.value), raised.value.retry_after_s) == (text, 3.0)


@pytest.mark.parametrize(
    "extension",
    [
        pytest.param(GONE, id="gone"),
        pytest.param(an_ending(FINALIZER_CONTENT_MANAGER, since=None), id="staying"),
        pytest.param(an_ending(FINALIZER_CONTENT_MANAGER, uid="other"), id="another of the name"),
        pytest.param(an_ending(), id="let go by us"),
        pytest.param(an_ending(FINALIZER_CONTENT_MANAGER, "orphan"), id="orphaning"),
    ],
)
async def test_revision_waits_for_no_other_extension(server: FakeApiServer, extension: Reply) -> None:
    server.play(extension, GONE)
    assert await retired(server, deletionTimestamp=SINCE, ownerReferences=OWNERS) == (NO_ACCOUNT,)
