"""What the reconciler does when the API server is in an unusual state; the main job is tested in tests/api."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from olmv1.conditions import condition_of
from olmv1.errors import RetryableError
from olmv1.fbc import Bundle
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Result
from olmv1.kube.discovery import Discovery
from olmv1.kube.events import EventRecorder
from olmv1.kube.resources import (
    CLUSTER_EXTENSIONS,
    CLUSTER_OBJECT_SETS,
    CUSTOM_RESOURCE_DEFINITIONS,
    SECRETS,
    SERVICE_ACCOUNTS,
)
from olmv1.kube.store import Store
from olmv1.served import Served
from operator_controller.catalogs import Catalogs, PackageStore, Reading
from operator_controller.catalogs.client import PackageLines
from operator_controller.contents import Content, ContentOptions, Rendered
from operator_controller.reconcilers.definitions import DefinitionChecks
from operator_controller.reconcilers.dependencies import DependencyChecks, DependencyPorts
from operator_controller.reconcilers.extension import ExtensionReconciler
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.rights import RightsChecks
from operator_controller.renderer import Certificates
from operator_controller.resolver.environment import Environment, Environments
from operator_controller.rollout.revisions import BY_OWNER, Revisions, owner_keys
from operator_controller.uninstall import ANNOTATION_ON_DELETE
from operator_controller.upgradeability import CurrentVersion
from operator_controller.waits import Waits
from tests.builders import a_condition, an_extension, an_object_set
from tests.definitions import LAMPS, a_definition, a_lamp
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache
from tests.packages import PACKAGE, a_catalog, a_package

PREFIX = "olm.operatorframework.io"
FINALIZERS = [f"{PREFIX}/cleanup-unpack-cache", f"{PREFIX}/cleanup-contentmanager-cache"]
NOW = datetime(2026, 1, 2, tzinfo=UTC)
GONE = Reply(status_of(404, "NotFound", "gone"), 404)


class NoServer:
    async def fetch(self, base_url: str, package: str) -> PackageLines:
        raise RetryableError(f"no {package} at {base_url}")


class NoImages:
    async def load(self, ref: str) -> Content:
        raise RetryableError(f"no {ref}")

    async def render(self, content: Content, options: ContentOptions) -> Rendered:
        raise AssertionError(f"{content} cannot be there for {options}")


class Plain:
    """A cluster that is no OpenShift."""

    wanted_provider = ""

    async def served(self) -> Served:
        return Served("1.36.3")

    async def proxy(self) -> Mapping[str, str]:
        return {}

    async def openshift(self) -> CurrentVersion | None:
        return None

    def certificates(self, served: Served) -> Certificates:  # noqa: ARG002 - none of it matters
        return Certificates.NONE


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient, folder: Path) -> None:
        self.server = server
        self.extensions, self.sets = FedCache(CLUSTER_EXTENSIONS), FedCache(CLUSTER_OBJECT_SETS)
        self.accounts, self.secrets, self.catalogs = FedCache(SERVICE_ACCOUNTS), FedCache(SECRETS), Store()
        self.sets.add_index(BY_OWNER, owner_keys)
        self.secrets.add_index(BY_OWNER, owner_keys)
        self.accounts.put({"metadata": {"name": "installer", "namespace": "lantern-system"}})
        self.events = EventRecorder(client, "test", "test")
        catalogs = Catalogs(self.catalogs, NoServer(), PackageStore(folder))
        revisions, waits = Revisions(client, self.sets, self.secrets, "olmv1-system"), Waits()
        self.definitions = FedCache(CUSTOM_RESOURCE_DEFINITIONS)
        checks = DependencyChecks(
            DependencyPorts(
                extensions=self.extensions,
                sets=self.sets,
                definitions=self.definitions,
                revisions=revisions,
                catalogs=catalogs,
                waiting=waits.for_others,
                wake=lambda _: None,
            )
        )
        self.reconciler = ExtensionReconciler(
            ExtensionPorts(
                client=client,
                extensions=self.extensions,
                accounts=self.accounts,
                catalogs=catalogs,
                contents=NoImages(),
                checks=checks,
                definitions=DefinitionChecks(client, self.definitions),
                platform=Plain(),
                rights=RightsChecks(client, Discovery(client), ()),
                revisions=revisions,
                events=self.events,
                waits=waits,
                allow_unscoped=False,
                now=lambda: NOW,
            )
        )

    def put(self, *, annotations: Mapping[str, str] | None = None, **metadata: Any) -> None:
        ext = an_extension()
        metadata = {"finalizers": FINALIZERS, "annotations": dict(annotations or {}), **metadata}
        self.extensions.put({**ext, "metadata": {**ext["metadata"], **metadata}})

    def take_status(self) -> dict[str, Any]:
        """The status that was written last, now also that of the extension."""
        written: dict[str, Any] = json.loads(self.server.requests[-1].body)["status"]
        ext = self.extensions.get("lantern")
        assert ext is not None
        self.extensions.put({**ext, "status": {**(ext.get("status") or {}), **written}})
        return written

    async def reconcile(self) -> Result:
        return await self.reconciler.reconcile("lantern")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(afterwards=Reply({}))
        yield World(server, client, tmp_path / "cache")


async def test_reconcile_ends_when_the_extension_is_gone(world: World) -> None:
    world.put(finalizers=[])
    world.server.play(afterwards=GONE)
    assert await world.reconcile() == Result()
    assert [(request.method, request.path) for request in world.server.requests] == [
        ("PATCH", f"/apis/{PREFIX}/v1/clusterextensions/lantern")
    ]


async def test_reconcile_is_notable_when_the_status_changes(world: World) -> None:
    world.put()
    first = await world.reconcile()
    world.take_status()
    second = await world.reconcile()
    assert (first.outcome, first.is_notable, second.outcome, second.is_notable) == ("Retrying", True, "Retrying", False)


async def test_reconcile_makes_each_remark_once_also_without_a_change_of_the_status(world: World) -> None:
    world.put()
    await world.reconcile()
    world.take_status()
    before = world.events.waiting
    ext = world.extensions.get("lantern")
    assert ext is not None
    strange = {f"extras.{PREFIX}/unheard-of": "x"}
    world.extensions.put({**ext, "metadata": {**ext["metadata"], "annotations": strange}})
    for _ in range(3):
        assert not (await world.reconcile()).is_notable
    assert world.events.waiting == before + 1


async def test_reconcile_comes_again_while_a_catalog_cannot_be_read(world: World) -> None:
    world.put()
    status = {
        "conditions": [a_condition("Serving")],
        "resolvedSource": {"image": {"ref": "r@sha256:1"}},
        "urls": {"base": "https://catalogd/catalogs/lights"},
    }
    world.catalogs.put({"metadata": {"name": "lights"}, "spec": {}, "status": status})
    result = await world.reconcile()
    reason = 'error retrieving cache for catalog "lights": no lantern at https://catalogd/catalogs/lights'
    text = f'error walking catalogs: error getting package "lantern" from catalog "lights": {reason}'
    assert (result.requeue_after_s, str(result.error)) == (30.0, text)


async def test_reconcile_says_what_a_deletion_waits_for(world: World) -> None:
    since = "2026-01-01T23:59:00Z"
    world.put(deletionTimestamp=since)
    said = a_condition("Progressing", "True", "Retrying", 'deployments.apps "lamp" is forbidden\nmore')
    hanging = an_object_set(conditions=[said])
    labels = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/owner-kind": "ClusterExtension"}
    decided = {"annotations": {**hanging["metadata"]["annotations"], ANNOTATION_ON_DELETE: "Cascade"}, "labels": labels}
    world.sets.put({**hanging, "metadata": {**hanging["metadata"], **decided, "deletionTimestamp": since}})
    assert await world.reconcile() == Result(requeue_after_s=2.0, outcome="Deleting", is_notable=True)
    condition, ready, reconciling = world.take_status()["conditions"]
    text = f'finalizer "{FINALIZERS[1]}" failed: revision "lantern-1": deployments.apps "lamp" is forbidden'
    assert (condition["status"], condition["reason"], condition["message"]) == ("True", "Retrying", text)
    assert (ready["type"], ready["status"], reconciling["type"]) == ("Ready", "False", "Reconciling")
    assert await world.reconcile() == Result(requeue_after_s=2.0, outcome="Deleting")
    assert len(world.server.requests) == 1


async def test_deletion_is_held_without_a_write_but_of_the_status(world: World) -> None:
    world.put(deletionTimestamp="2026-01-01T23:59:00Z")
    made = an_object_set()
    labels = {f"{PREFIX}/owner-name": "lantern", f"{PREFIX}/owner-kind": "ClusterExtension"}
    world.sets.put({**made, "metadata": {**made["metadata"], "labels": labels}})
    owner = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "uid-1", "controller": True}
    definition = {**a_definition(), "metadata": {"name": LAMPS, "ownerReferences": [owner]}}
    world.definitions.put(definition)
    read = (Reply(definition), Reply({"items": [a_lamp("desk")]}))
    world.server.play(*read, Reply({}), *read)
    assert await world.reconcile() == Result(requeue_after_s=5.0, outcome="Blocked", is_notable=True)
    condition = condition_of({"status": world.take_status()}, "Progressing") or {}
    assert (condition["status"], condition["reason"], condition["message"].split("\n")[0]) == (
        "False",
        "Blocked",
        f"1 object of kind Lamp would be lost ({LAMPS}: shop/desk)",
    )
    assert await world.reconcile() == Result(requeue_after_s=5.0, outcome="Blocked")
    assert sorted(request.method for request in world.server.requests) == ["GET", "GET", "GET", "GET", "PATCH"]


class ReadingEnvironments(Environments):
    """Notes the threads in which CSVs are read."""

    __slots__ = ("threads",)

    def __init__(self) -> None:
        super().__init__()
        self.threads = set[threading.Thread]()

    def of(self, bundle: Bundle) -> Environment:
        self.threads.add(threading.current_thread())
        return super().of(bundle)


async def test_csvs_of_a_package_are_not_read_on_the_event_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    environments = ReadingEnvironments()
    content = a_catalog(a_package(["1.0.0"], {"stable": ["1.0.0"]}))
    assert content.package is not None
    content = replace(content, package=replace(content.package, environments=environments))

    async def read(*_: Any) -> Reading:
        return Reading((content,))

    monkeypatch.setattr(Catalogs, "read", read)
    ext = an_extension(catalog={"packageName": PACKAGE})
    world.extensions.put({**ext, "metadata": {**ext["metadata"], "finalizers": FINALIZERS}})
    await world.reconcile()
    assert environments.threads
    assert threading.main_thread() not in environments.threads


async def test_deletion_is_not_held_up_by_what_cannot_be_told_of_dependents(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def losses(*_: object) -> None:
        raise ValueError("nobody thought of this")

    monkeypatch.setattr(DependencyChecks, "losses", losses)
    world.put(deletionTimestamp="2026-01-01T23:59:00Z")
    assert await world.reconcile() == Result(outcome="Removed", is_notable=True)
