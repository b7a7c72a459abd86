from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from catalogd.reconcilers.readiness import Readiness
from catalogd.store import Store
from olmv1.kube.resources import CLUSTER_CATALOGS
from tests.contents import a_ref, store_content
from tests.fed_cache import FedCache


def a_catalog(name: str = "team", ref: str = "", **spec: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name},
        "spec": spec,
        "status": {
            "conditions": [{"type": "Serving", "status": "True", "reason": "Available"}],
            "resolvedSource": {"type": "Image", "image": {"ref": ref or a_ref()}},
        },
    }


def lacking(*names: str) -> str:
    return f"content that is not on this replica yet: {', '.join(names)}"


@pytest.fixture
def catalogs() -> FedCache:
    """The catalogs of a cluster, listed completely."""
    made = FedCache(CLUSTER_CATALOGS)
    made.complete()
    return made


@pytest.fixture
def readiness(store: Store, catalogs: FedCache) -> Readiness:
    made = Readiness(store)
    made.connect(catalogs)
    return made


def test_not_ready_while_the_volume_is_verified(tmp_path: Path) -> None:
    assert Readiness(Store(tmp_path)).what_is_missing() == "stored content is being verified"


@pytest.mark.parametrize("is_connected", [True, False])
def test_without_the_cluster_only_a_replica_that_holds_something_is_ready(store: Store, is_connected: bool) -> None:
    readiness = Readiness(store)
    if is_connected:
        readiness.connect(FedCache(CLUSTER_CATALOGS))
    assert readiness.what_is_missing() == "the catalogs of the cluster are not known yet"
    store_content(store)
    assert readiness.what_is_missing() is None


def test_ready_without_any_catalog(readiness: Readiness) -> None:
    assert readiness.what_is_missing() is None


def test_not_ready_until_all_that_is_served_is_here(store: Store, catalogs: FedCache, readiness: Readiness) -> None:
    for name in ("a", "b", "c", "d", "e"):
        catalogs.put(a_catalog(name))
    assert readiness.what_is_missing() == lacking('"a"', '"b"', '"c" and 2 more')
    for name in ("a", "b", "d", "e"):
        store_content(store, name)
    assert readiness.what_is_missing() == lacking('"c"')
    store_content(store, "c")
    assert readiness.what_is_missing() is None


def test_old_content_will_do_only_after_the_first_yes(store: Store, catalogs: FedCache, readiness: Readiness) -> None:
    store_content(store)
    catalogs.put(a_catalog(ref=a_ref("ab")))
    assert readiness.what_is_missing() == lacking('"team"')
    store_content(store, ref=a_ref("ab"))
    assert readiness.what_is_missing() is None
    catalogs.put(a_catalog(ref=a_ref("cd")))
    assert readiness.what_is_missing() is None
    catalogs.put(a_catalog("new"))
    assert readiness.what_is_missing() == lacking('"new"')


def test_nobody_waits_for_what_is_not_to_be_served(catalogs: FedCache, readiness: Readiness) -> None:
    catalogs.put(a_catalog(availabilityMode="Unavailable"))
    assert readiness.what_is_missing() is None
