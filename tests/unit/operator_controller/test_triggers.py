from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import (
    API_SERVICES,
    CLUSTER_CATALOGS,
    CLUSTER_EXTENSIONS,
    CLUSTER_OBJECT_SETS,
    CLUSTER_ROLES,
    CUSTOM_RESOURCE_DEFINITIONS,
    NAMESPACES,
    SECRETS,
    SERVICE_ACCOUNTS,
)
from operator_controller.rollout.revisions import BY_OWNER, owner_keys
from operator_controller.triggers import (
    BY_ACCOUNT,
    Interests,
    Queues,
    Triggers,
    Watches,
    account_keys,
    concerned_by,
    set_account_keys,
)
from tests.builders import a_condition, an_extension, an_object_set
from tests.fed_cache import FedCache
from tests.waiting import eventually

PREFIX = "olm.operatorframework.io"
ACCOUNT = {f"{PREFIX}/service-account-name": "installer", f"{PREFIX}/service-account-namespace": "lantern-system"}
FORBIDDEN = 'pods is forbidden: User "x" cannot create'


class Asked:
    """A queue that remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []

    def enqueue(self, key: str) -> None:
        self.calls.append(("enqueue", key))

    def enqueue_after(self, key: str, delay_s: float) -> None:
        self.calls.append(("after", key, f"{delay_s:.2f}"))

    def wake(self, key: str) -> None:
        self.calls.append(("wake", key))

    def taken(self) -> list[tuple[str, ...]]:
        calls, self.calls = self.calls, []
        return calls


class CountingDiscovery(Discovery):
    invalidated = 0

    def invalidate(self) -> None:
        self.invalidated += 1


def a_named(name: str, namespace: str = "", **parts: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace, "resourceVersion": "1", **parts}}


def a_set(number: int = 1, reason: str = "Succeeded", message: str = "", **metadata: Any) -> dict[str, Any]:
    status = "False" if reason == "ProgressDeadlineExceeded" else "True"
    annotations = {**ACCOUNT, f"{PREFIX}/bundle-name": "lantern.v1.0.0"}
    said = [a_condition("Progressing", status, reason, message)]
    made = an_object_set(number, conditions=said, annotations=annotations)
    labels = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/owner-kind": "ClusterExtension"}
    return {**made, "metadata": {**made["metadata"], "labels": labels, **metadata}}


class World:
    def __init__(self) -> None:
        self.now = 100.0
        self.extensions, self.sets = FedCache(CLUSTER_EXTENSIONS), FedCache(CLUSTER_OBJECT_SETS)
        self.extensions.add_index(BY_ACCOUNT, account_keys)
        self.sets.add_index(BY_OWNER, owner_keys)
        self.sets.add_index(BY_ACCOUNT, set_account_keys)
        self.catalogs, self.accounts = FedCache(CLUSTER_CATALOGS), FedCache(SERVICE_ACCOUNTS)
        self.secrets, self.definitions = FedCache(SECRETS), FedCache(CUSTOM_RESOURCE_DEFINITIONS)
        self.services = FedCache(API_SERVICES)
        self.namespaces, self.roles = FedCache(NAMESPACES), FedCache(CLUSTER_ROLES)
        self.asked_extensions, self.asked_sets = Asked(), Asked()
        self.looked_into: list[str] = []
        self.lacking: tuple[str, ...] = ()
        self.by_group: dict[str, tuple[str, ...]] = {}
        self.discovery = CountingDiscovery(cast(KubeClient, None))

    def connect(self) -> None:
        watches = Watches(
            extensions=self.extensions,
            sets=self.sets,
            catalogs=self.catalogs,
            accounts=self.accounts,
            secrets=self.secrets,
            definitions=self.definitions,
            services=self.services,
            namespaces=self.namespaces,
            roles=(self.roles,),
        )
        queues = Queues(self.asked_extensions, self.asked_sets)
        platform = {"proxies.example.com": lambda: self.looked_into.append("proxy")}
        interests = Interests(
            self.looked_into.append, lambda group: self.by_group.get(group, ()), lambda: self.lacking, platform
        )
        Triggers(watches, self.discovery, queues, interests, lambda: self.now).connect()

    def taken(self) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """What the queues of extensions and of sets were asked since the last time."""
        return self.asked_extensions.taken(), self.asked_sets.taken()


@pytest.fixture
def world() -> World:
    """One extension and its finished revision, everything that was there told."""
    made = World()
    made.extensions.put(an_extension())
    made.sets.put(a_set())
    made.connect()
    made.taken()
    return made


def test_connect_reconciles_extensions_and_sets_once_and_replays_nothing_else() -> None:
    world = World()
    world.extensions.put(an_extension())
    world.sets.put(a_set(reason="Retrying"))
    for cache in (world.accounts, world.roles, world.namespaces, world.definitions, world.secrets, world.catalogs):
        cache.put(a_named("installer", "lantern-system", labels={f"{PREFIX}/owner-name": "lantern"}))
    world.connect()
    assert world.taken() == ([("enqueue", "lantern"), ("enqueue", "lantern")], [("enqueue", "lantern-1")])
    assert world.discovery.invalidated == 0


def test_status_of_a_set_wakes_its_extension_at_once_and_then_at_most_every_pause(world: World) -> None:
    for message in ("a", "b", "c"):
        world.sets.put(a_set(message=message))
        world.now += 0.05
    assert world.taken() == (
        [("after", "lantern", "0.00"), ("after", "lantern", "0.15"), ("after", "lantern", "0.10")],
        [],
    )
    world.now += 0.2
    world.sets.put(a_set(message="d"))
    assert world.taken() == ([("after", "lantern", "0.00")], [])


def test_set_that_did_not_change_for_us_wakes_nothing(world: World) -> None:
    world.sets.put(a_set(resourceVersion="8", managedFields=[]))
    assert world.taken() == ([], [])


def test_new_generation_of_a_set_wakes_both(world: World) -> None:
    world.sets.put(a_set(generation=2))
    assert world.taken() == ([("enqueue", "lantern")], [("enqueue", "lantern-1")])


def test_deleted_set_wakes_its_siblings(world: World) -> None:
    world.sets.put(a_set(2))
    world.taken()
    world.sets.remove(a_set(1))
    assert world.taken() == ([("enqueue", "lantern")], [("enqueue", "lantern-1"), ("enqueue", "lantern-2")])


@pytest.mark.parametrize(
    ("object_set", "is_woken"),
    [
        pytest.param(a_set(reason="Succeeded"), False, id="finished"),
        pytest.param(a_set(reason="RollingOut", message="rolling out"), False, id="waiting for probes"),
        pytest.param(a_set(reason="Retrying", message="no matches for kind"), True, id="retrying"),
        pytest.param(a_set(reason="ProgressDeadlineExceeded", message=f"Last status: {FORBIDDEN}"), True, id="overdue"),
        pytest.param(a_set(deletionTimestamp="2026-01-01T00:00:00Z"), True, id="being deleted"),
    ],
)
async def test_right_wakes_the_sets_that_may_have_lacked_it(
    world: World, object_set: Mapping[str, Any], is_woken: bool
) -> None:
    world.sets.put(object_set)
    world.taken()
    world.roles.put(a_named("reader"))
    assert world.taken() == ([], [("wake", "lantern-1")] if is_woken else [])


async def test_many_rights_are_two_looks_at_the_sets(world: World) -> None:
    world.sets.put(a_set(reason="Retrying"))
    world.taken()
    for number in range(20):
        world.roles.put(a_named(f"role-{number}"))
    assert world.asked_sets.calls == [("wake", "lantern-1")]
    await eventually(lambda: len(world.asked_sets.calls) == 2)


@pytest.mark.parametrize(
    ("changes", "is_invalidated"),
    [
        pytest.param({"resourceVersion": "2"}, False, id="established"),
        pytest.param({"generation": 2}, True, id="other versions"),
    ],
)
async def test_definition_wakes_unfinished_sets_whatever_changed(
    world: World, changes: dict[str, Any], is_invalidated: bool
) -> None:
    world.definitions.put(a_named("lamps", generation=1))
    world.sets.put(a_set(reason="RollingOut"))
    world.taken()
    world.definitions.put(a_named("lamps", **{"generation": 1, **changes}))
    assert world.discovery.invalidated == int(is_invalidated)
    await eventually(lambda: ("wake", "lantern-1") in world.asked_sets.calls)


async def test_deleted_definition_is_forgotten(world: World) -> None:
    world.definitions.put(a_named("lamps"))
    world.definitions.remove(a_named("lamps"))
    assert world.discovery.invalidated == 1


async def test_namespace_wakes_unfinished_sets_when_it_comes(world: World) -> None:
    world.sets.put(a_set(reason="Retrying"))
    world.taken()
    world.namespaces.put(a_named("lantern-system"))
    assert world.taken() == ([], [("wake", "lantern-1")])


def test_account_wakes_those_that_act_as_it(world: World) -> None:
    world.sets.put(a_set(reason="Retrying"))
    world.taken()
    world.accounts.put(a_named("other", "lantern-system"))
    world.accounts.put(a_named("installer", "lantern-system"))
    assert world.taken() == ([("wake", "lantern")], [("wake", "lantern-1")])


def test_secret_wakes_its_revision_and_extension_when_it_goes(world: World) -> None:
    labels = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/revision-name": "lantern-1"}
    secret = a_named("content", "olmv1-system", labels=labels)
    world.secrets.put(secret)
    assert world.taken() == ([("wake", "lantern")], [])
    world.secrets.remove(secret)
    assert world.taken() == ([("wake", "lantern")], [("wake", "lantern-1")])


def test_catalog_wakes_those_that_select_it_when_its_standing_changes(world: World) -> None:
    catalog = a_named("lights")
    world.catalogs.put(catalog)
    assert world.taken() == ([("enqueue", "lantern")], [])
    world.catalogs.put({**catalog, "status": {"lastUnpacked": "now"}})
    assert world.taken() == ([], [])
    world.catalogs.put({**catalog, "spec": {"priority": 7}})
    assert world.taken() == ([("enqueue", "lantern")], [])
    assert world.looked_into == []


def test_catalog_is_looked_into_when_only_its_content_changes(world: World) -> None:
    catalog = a_named("lights")
    world.catalogs.put(catalog)
    world.taken()
    world.catalogs.put({**catalog, "status": {"resolvedSource": {"image": {"ref": "r@sha256:2"}}}})
    assert (world.taken(), world.looked_into) == (([], []), ["lights"])


def test_catalog_concerns_the_extensions_that_select_it_by_package() -> None:
    choosy = an_extension()
    choosy["metadata"] = {**choosy["metadata"], "name": "choosy"}
    selector = {"matchLabels": {"shelf": "other"}}
    wanted = {**choosy["spec"]["source"]["catalog"], "selector": selector}
    choosy["spec"] = {**choosy["spec"], "source": {**choosy["spec"]["source"], "catalog": wanted}}
    assert concerned_by(a_named("lights"), [an_extension(), choosy]) == {"lantern": ["lantern"]}


async def test_definition_wakes_those_for_whom_its_group_matters_and_again_when_it_is_served(world: World) -> None:
    world.by_group = {"monitoring.example.com": ("lantern",)}
    world.definitions.put(a_named("monitors.monitoring.example.com"))
    assert (world.asked_extensions.taken(), world.discovery.invalidated) == ([("wake", "lantern")], 1)
    await eventually(lambda: world.discovery.invalidated == 2)
    assert world.asked_extensions.taken() == [("wake", "lantern")]


async def test_aggregated_api_wakes_those_for_whom_its_group_matters(world: World) -> None:
    world.by_group = {"metrics.example.com": ("lantern",), "lamps.example.com": ("lantern",)}
    made_for_a_crd = {"kube-aggregator.kubernetes.io/automanaged": "true"}
    world.services.put(a_named("v1.lamps.example.com", labels=made_for_a_crd))
    world.services.put(a_named("v1.other.example.com"))
    assert (world.taken(), world.discovery.invalidated) == (([], []), 1)
    world.services.put(a_named("v1beta1.metrics.example.com"))
    assert (world.taken(), world.discovery.invalidated) == (([("wake", "lantern")], []), 3)


async def test_definition_of_the_platform_is_told_to_who_asked_and_again_when_it_is_served(world: World) -> None:
    world.definitions.put(a_named("proxies.example.com"))
    assert (world.looked_into, world.discovery.invalidated) == (["proxy"], 1)
    await eventually(lambda: world.looked_into == ["proxy", "proxy"])
    assert world.discovery.invalidated == 2


async def test_right_wakes_the_extensions_whose_account_lacks_some(world: World) -> None:
    world.lacking = ("lantern",)
    world.roles.put(a_named("reader"))
    assert world.asked_extensions.taken() == [("wake", "lantern")]
