"""Replicas under load: whichever is killed, nobody who reads a catalog or installs an extension loses anything."""

from __future__ import annotations

import shutil
import time
import urllib.error
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component, catalogd, operator_controller
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.fetching import fetch
from tests.api.operators import Operator, bundle_of, config_map, publish
from tests.api.readers import Content, Reader, Service, reading
from tests.api.replicas import TAKEOVER_S, Replicas

CATALOG = "shelf"
ALL = f"/catalogs/{CATALOG}/api/v1/all"
VERSIONS = ("1.0.0", "1.1.0")
FILLER = [{"schema": "example.filler", "name": f"f{number}", "text": "x" * 250_000} for number in range(6)]
"""So that some answers are under way at any moment."""


@dataclass(frozen=True)
class Site:
    """Three replicas of catalogd behind a Service, two of operator-controller, and six operators in one catalog.

    The third catalogd does not run at first.
    """

    world: World
    catalogds: Replicas
    controllers: Replicas
    service: Service
    fleet: list[Operator]

    @property
    def authority(self) -> Path:
        return self.world.registry.authority_file

    def url(self, replica: Component) -> str:
        return f"https://{replica.flags['catalogs-server-addr']}{ALL}"

    def content(self) -> Content:
        """What is served now."""
        served = fetch(f"https://{self.service.address}{ALL}", self.authority).encode()
        assert served.count(b"\n") > len(FILLER)
        return Content(ALL, served, self.authority)

    def reader(self, content: Content, replica: Component | None = None) -> Reader:
        """One that repeats what the Service does not answer; or one that takes no failure of a replica."""
        if replica is None:
            return Reader(self.service.address, content, is_patient=True)
        return Reader(str(replica.flags["catalogs-server-addr"]), content, is_patient=False)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Cluster.start() as cluster:
        world = World(cluster)
        address = f"127.0.0.1:{cluster.workspace.ports.reserve()}"
        catalogds = Replicas(cluster, catalogd, 3, {"external-address": address})
        controllers = Replicas(cluster, operator_controller)
        components = [*catalogds.all, *controllers.all]
        for component in components[:2] + controllers.all:
            component.start()
        with Service(address, catalogds.all) as service:
            fleet = [Operator(world).prepare() for _ in range(6)]
            publish(world, CATALOG, {operator.name: bundles(operator.name) for operator in fleet}, FILLER)
            for component in components[:2] + controllers.all:
                component.wait_ready()
            yield Site(world, catalogds, controllers, service, fleet)
        for component in components:
            # pytest shows captured output of failed tests only
            print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    return {v: bundle_of(name, v, config_map(f"{name}-v", v=v), crds=["things"]) for v in VERSIONS}


def told_by(replica: Component) -> str:
    """What `/readyz/content` says."""
    try:
        return fetch(f"{replica.probe_url}/readyz/content")
    except urllib.error.HTTPError as refused:
        return refused.read().decode()
    except OSError:
        return ""


def kill(component: Component) -> float:
    """SIGKILL; when, in seconds since 1970."""
    at = time.time()
    component.kill()
    wait_for(lambda: not component.is_running, f"{component.name} to be gone")
    return at


def empty(replica: Component) -> None:
    """Take its volume away, as where a pod comes up on another node: everything is to be fetched."""
    shutil.rmtree(str(replica.flags["cache-dir"]), ignore_errors=True)


def test_replica_is_not_ready_before_it_holds_what_the_leader_serves(site: Site) -> None:
    content, late = site.content(), site.catalogds.all[2]
    if late.is_running:
        kill(late)
    empty(late)
    with site.world.registry.away():
        late.start()
        missing = f'content that is not on this replica yet: "{CATALOG}"\n'
        wait_for(lambda: told_by(late) == missing, f"{late.name} to say what it lacks")
        assert not late.is_ready()
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(site.url(late), site.authority)
        assert (refused.value.code, refused.value.headers["Retry-After"]) == (503, "1")
        assert late not in site.service.endpoints
    late.wait_ready()
    assert fetch(site.url(late), site.authority).encode() == content.body
    assert told_by(late) == "ok"


def test_readers_lose_nothing_whichever_replica_is_killed(site: Site) -> None:
    site.catalogds.start()
    content = site.content()
    everywhere = [site.reader(content) for _ in range(3)]
    with reading(*everywhere):
        for number, victim in enumerate(site.catalogds.all):
            beside = [site.reader(content, replica) for replica in site.catalogds.all if replica is not victim]
            with reading(*beside):
                kill(victim)
                for reader in [*beside, *everywhere]:
                    reader.wait_for_more(5)
                site.service.wait_for(victim, is_ready=False)
                if number != 1:
                    empty(victim)
                victim.start()
                site.service.wait_for(victim, is_ready=True)
                for reader in [*beside, *everywhere]:
                    reader.wait_for_more(5)
            assert [reader.failures for reader in beside] == [[], []], victim.name
    assert [reader.failures for reader in everywhere] == [[], [], []]
    refused = [trouble for reader in everywhere for trouble in reader.troubles if " 503 " in trouble]
    assert refused == [], "nobody is sent to a replica without content"


def test_standby_goes_on_with_installs_and_upgrades(site: Site) -> None:
    site.catalogds.start()
    content = site.content()
    everywhere = [site.reader(content) for _ in range(2)]
    with reading(*everywhere):
        heir = site.controllers.standby()
        for operator in site.fleet[:4]:
            operator.install(version=VERSIONS[0])
        wait_for(site.fleet[0].sets, "work to be under way")
        killed_at = kill(site.controllers.leader())
        for operator in site.fleet[4:]:
            operator.install(version=VERSIONS[0])
        assert site.controllers.took_over_at(heir) - killed_at < TAKEOVER_S
        for operator in site.fleet:
            operator.wait_installed(VERSIONS[0])
        assert site.controllers.leader() is heir
        killed_at, heirs = kill(site.catalogds.leader()), [r for r in site.catalogds.all if r.is_running]
        for operator in site.fleet:
            operator.install()
        for operator in site.fleet:
            operator.wait_installed(VERSIONS[1])
        new = wait_for(lambda: next((r for r in heirs if site.catalogds.holder() is r), None), "a heir to lead")
        assert site.catalogds.took_over_at(new) - killed_at < TAKEOVER_S
    assert [reader.failures for reader in everywhere] == [[], []]
    for operator in site.fleet:
        assert operator.lifecycle() == {f"{operator.name}-1": "Archived", f"{operator.name}-2": "Active"}
        brought = site.world.kubectl.get("configmap", f"{operator.name}-v", operator.namespace) or {}
        assert brought.get("data") == {"v": VERSIONS[1]}
