"""A replica that does not lead, with a real registry and a real store."""

from __future__ import annotations

from typing import Any

import pytest

from catalogd.reconcilers.examiner import Examiner
from catalogd.reconcilers.follower import FollowerReconciler
from catalogd.store import Store
from catalogd.unpack import Unpacker
from olmv1.errors import RetryableError
from olmv1.kube.controller import Result
from olmv1.kube.resources import CLUSTER_CATALOGS
from tests.contents import LEDGER, a_ref, lines_of, store_content
from tests.fed_cache import FedCache
from tests.oci_images import a_catalog_image
from tests.registry import Registry

SOURCE = "registry.example/team/catalog:v1"


def a_catalog(ref: str, **spec: Any) -> dict[str, Any]:
    resolved = {"type": "Image", "image": {"ref": ref}}
    source = {"type": "Image", "image": {"ref": SOURCE}}
    return {
        "metadata": {"name": "team"},
        "spec": {"source": source, **spec},
        "status": {"resolvedSource": resolved} if ref else {},
    }


class Replica:
    """The reconciler, and whether it leads."""

    def __init__(self, store: Store, unpacker: Unpacker) -> None:
        self.catalogs = FedCache(CLUSTER_CATALOGS)
        self.is_leader = False
        self.reconciler = FollowerReconciler(self.catalogs, store, unpacker, Examiner(store), lambda: self.is_leader)

    async def follow(self, ref: str, **spec: Any) -> Result:
        self.catalogs.put(a_catalog(ref, **spec))
        return await self.reconciler.reconcile("team")


@pytest.fixture
def replica(store: Store, unpacker: Unpacker) -> Replica:
    return Replica(store, unpacker)


def pushed(registry: Registry) -> str:
    return registry.push("team/catalog", "v1", a_catalog_image({"a.yaml": LEDGER}))


async def test_follower_serves_what_the_leader_resolved(replica: Replica, registry: Registry, store: Store) -> None:
    ref = pushed(registry)
    assert await replica.follow(ref) == Result(outcome="followed", is_notable=True)
    snapshot = store.snapshot("team")
    assert snapshot is not None
    assert snapshot.data.read(0, snapshot.data.size_bytes) == b"".join(lines_of(LEDGER))
    assert (snapshot.manifest.ref, snapshot.manifest.source_ref) == (ref, SOURCE)
    assert await replica.follow(ref) == Result()


async def test_follower_leaves_to_the_leader_what_is_not_resolved(replica: Replica, store: Store) -> None:
    assert await replica.follow("") == Result()
    assert store.snapshot("team") is None


async def test_follower_serves_old_content_until_it_has_the_new(
    replica: Replica, registry: Registry, store: Store
) -> None:
    await replica.follow(pushed(registry))
    lost = f"{pushed(registry).rpartition('@')[0]}@{a_ref().rpartition('@')[2]}"
    with pytest.raises(RetryableError, match=r"^source catalog content: "):
        await replica.follow(lost)
    assert store.snapshot("team") is not None


async def test_follower_withdraws_what_is_set_unavailable(replica: Replica, store: Store) -> None:
    store_content(store)
    assert await replica.follow(a_ref(), availabilityMode="Unavailable") == Result()
    assert store.snapshot("team") is None


async def test_leader_does_not_follow(replica: Replica, registry: Registry, store: Store) -> None:
    replica.is_leader = True
    assert await replica.follow(pushed(registry)) == Result()
    assert store.snapshot("team") is None


async def test_replica_that_knows_no_such_catalog_keeps_its_content(replica: Replica, store: Store) -> None:
    store_content(store)
    replica.catalogs.put(a_catalog(a_ref()))
    replica.catalogs.remove(a_catalog(a_ref()))
    assert await replica.reconciler.reconcile("team") == Result()
    assert store.snapshot("team") is not None
