from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_OBJECT_SETS, SECRETS
from operator_controller.rollout.revisions import BY_OWNER, Revisions, owner_keys
from operator_controller.uninstall import ANNOTATION_ON_DELETE, OnDelete
from tests.builders import a_rollout, an_extension, an_object, an_object_set
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache

PREFIX = "olm.operatorframework.io"
OWNED = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/owner-kind": "ClusterExtension"}
EXISTS = Reply(status_of(409, "AlreadyExists", 'clusterobjectsets "lantern-1" already exists'), 409)
REFUSED = Reply(status_of(403, "Forbidden", "no"), 403)
MISSING = Reply(status_of(404, "NotFound", "gone"), 404)
REFERENCE = {
    "apiVersion": f"{PREFIX}/v1",
    "kind": "ClusterExtension",
    "name": "lantern",
    "uid": "uid-ext",
    "controller": True,
    "blockOwnerDeletion": True,
}


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient) -> None:
        self.server = server
        self.sets, self.secrets = FedCache(CLUSTER_OBJECT_SETS), FedCache(SECRETS)
        self.sets.add_index(BY_OWNER, owner_keys)
        self.secrets.add_index(BY_OWNER, owner_keys)
        self.revisions = Revisions(client, self.sets, self.secrets, "olmv1-system")

    def names(self) -> list[str]:
        return [item["metadata"]["name"] for item in self.revisions.of("lantern")]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        yield World(server, client)


def a_set(number: int = 1, *, labels: dict[str, str] | None = None, state: str = "Active", **metadata: Any) -> Any:
    made = an_object_set(number, state=state)
    return {**made, "metadata": {**made["metadata"], "labels": labels or OWNED, **metadata}}


def a_set_of_secrets(*names: str) -> dict[str, Any]:
    objects = [{"ref": {"name": name, "key": "k"}} for name in names]
    made = a_set()
    return {**made, "spec": {**made["spec"], "phases": [{"name": "deploy", "objects": objects}]}}


def test_of_claims_only_what_is_a_revision_of_the_extension(world: World) -> None:
    named = {f"{PREFIX}/owner-name": "lantern"}
    world.sets.put(a_set(1))
    world.sets.put(a_set(2, labels=named))
    world.sets.put(a_set(3, labels=named, ownerReferences=[REFERENCE]))
    world.sets.put(a_set(4, labels=named, ownerReferences=[{**REFERENCE, "name": "other"}]))
    assert world.names() == ["lantern-1", "lantern-3"]


@pytest.mark.parametrize(
    ("existing", "message"),
    [
        pytest.param(a_set(), 'creating new Revision: clusterobjectsets "lantern-1" already exists', id="ours"),
        pytest.param(
            a_set(labels={"x": "y"}),
            'creating new Revision: clusterobjectset "lantern-1" exists and is no revision of this extension',
            id="somebody else's",
        ),
    ],
)
async def test_create_says_whose_the_name_is_when_it_is_taken(
    world: World, existing: dict[str, Any], message: str
) -> None:
    world.server.play(Reply({}), EXISTS, Reply(existing))
    with pytest.raises(RetryableError) as raised:
        await world.revisions.create(a_rollout(), [an_object()])
    assert (str(raised.value), raised.value.retry_after_s) == (message, None)
    assert world.names() == (["lantern-1"] if "already" in message else [])


async def test_create_names_the_secret_that_is_refused(world: World) -> None:
    world.server.play(afterwards=REFUSED)
    with pytest.raises(RetryableError, match=r'^creating ref Secret "lantern-1-[a-z0-9]+": no$'):
        await world.revisions.create(a_rollout(), [an_object()])


async def test_create_says_that_a_secret_cannot_be_given_to_its_revision(world: World) -> None:
    world.server.play(Reply({}), Reply(a_set()), REFUSED)
    with pytest.raises(RetryableError, match="^patching ownerReferences on ref Secrets: no$"):
        await world.revisions.create(a_rollout(), [an_object()])
    assert world.names() == ["lantern-1"]


async def test_create_says_when_an_old_revision_cannot_be_deleted(world: World) -> None:
    for number in range(1, 8):
        world.sets.put(a_set(number, state="Archived"))
    world.server.play(afterwards=REFUSED)
    with pytest.raises(RetryableError) as raised:
        await world.revisions.create(a_rollout(), [an_object()])
    assert str(raised.value) == "garbage collecting old revisions: deleting archived revision: no"


async def test_ensure_complete_takes_over_sets_that_an_orphaning_deletion_left(world: World) -> None:
    world.sets.put(a_set(1))
    world.sets.put(a_set(2, ownerReferences=[REFERENCE]))
    world.server.play(afterwards=Reply({}))
    await world.revisions.ensure_complete(an_extension())
    (request,) = world.server.requests
    assert (request.method, request.path) == ("PATCH", f"/apis/{PREFIX}/v1/clusterobjectsets/lantern-1")
    assert json.loads(request.body) == {"metadata": {"ownerReferences": [REFERENCE], "resourceVersion": "1"}}


async def test_ensure_complete_says_what_is_refused(world: World) -> None:
    world.sets.put(a_set(ownerReferences=[REFERENCE]))
    labels = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/revision-name": "lantern-1"}
    world.secrets.put(an_object("Secret", "s", metadata={"namespace": "olmv1-system", "labels": labels}))
    world.server.play(afterwards=REFUSED)
    with pytest.raises(RetryableError, match="^ensuring ownerReferences on ref Secrets: no$"):
        await world.revisions.ensure_complete(an_extension())


@pytest.mark.parametrize(
    ("answer", "has_all"),
    [pytest.param(Reply({}), True, id="watch is behind"), pytest.param(MISSING, False, id="gone")],
)
async def test_has_all_secrets_asks_about_those_the_watch_does_not_know(
    world: World, answer: Reply, has_all: bool
) -> None:
    world.secrets.put(an_object("Secret", "known", metadata={"namespace": "olmv1-system"}))
    world.server.play(afterwards=answer)
    assert await world.revisions.has_all_secrets(a_set_of_secrets("known"))
    assert world.server.requests == []
    assert await world.revisions.has_all_secrets(a_set_of_secrets("known", "other")) is has_all
    assert [request.path for request in world.server.requests] == ["/api/v1/namespaces/olmv1-system/secrets/other"]


@pytest.mark.parametrize(
    ("asked", "written", "how"),
    [
        pytest.param(None, "Cascade", "Background", id="nothing to lose"),
        pytest.param(OnDelete.KEEP_CRDS, "KeepCRDs", "Background", id="definitions stay"),
        pytest.param(OnDelete.ORPHAN, "Orphan", "Orphan", id="everything stays"),
    ],
)
async def test_decision_is_written_on_every_set_before_the_first_is_deleted(
    world: World, asked: OnDelete | None, written: str, how: str
) -> None:
    for number in (1, 2):
        world.sets.put(a_set(number))
    world.server.play(afterwards=Reply({}))
    assert (world.revisions.has_undecided("lantern"), await world.revisions.delete_all("lantern", asked)) == (True, 2)
    bodies = [json.loads(request.body) for request in world.server.requests]
    assert [request.method for request in world.server.requests] == ["PATCH", "PATCH", "DELETE", "DELETE"]
    assert [body["metadata"]["annotations"] for body in bodies[:2]] == [{ANNOTATION_ON_DELETE: written}] * 2
    assert [body["propagationPolicy"] for body in bodies[2:]] == [how] * 2


async def test_decision_stays_when_the_person_says_nothing_more(world: World) -> None:
    known = a_set()
    known["metadata"]["annotations"][ANNOTATION_ON_DELETE] = "KeepCRDs"
    world.sets.put(known)
    world.server.play(afterwards=Reply({}))
    assert (world.revisions.has_undecided("lantern"), await world.revisions.delete_all("lantern", None)) == (False, 1)
    assert [request.method for request in world.server.requests] == ["DELETE"]


@pytest.mark.parametrize(
    ("finalizers", "methods"),
    [
        pytest.param(["mine"], ["PATCH", "DELETE"], id="to be deleted so far"),
        pytest.param(["orphan"], ["PATCH"], id="orphaned already"),
    ],
)
async def test_person_who_changes_their_mind_may_still_keep_everything(
    world: World, finalizers: list[str], methods: list[str]
) -> None:
    known = a_set(deletionTimestamp="2026-01-01T00:00:00Z", finalizers=finalizers)
    known["metadata"]["annotations"][ANNOTATION_ON_DELETE] = "KeepCRDs"
    world.sets.put(known)
    world.server.play(afterwards=Reply({}))
    assert await world.revisions.delete_all("lantern", OnDelete.ORPHAN) == 1
    assert [request.method for request in world.server.requests] == methods


async def test_strange_words_on_a_set_are_no_decision(world: World) -> None:
    known = a_set(deletionTimestamp="2026-01-01T00:00:00Z")
    known["metadata"]["annotations"][ANNOTATION_ON_DELETE] = "keep"
    world.sets.put(known)
    world.server.play(afterwards=MISSING)
    assert (world.revisions.has_undecided("lantern"), await world.revisions.delete_all("lantern", None)) == (True, 1)
    assert [request.method for request in world.server.requests] == ["PATCH"]
