"""Two replicas of each component: one leads, the other goes on when it is killed, stopped or asleep."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component, catalogd, operator_controller
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map, publish
from tests.api.replicas import TAKEOVER_S, Replicas


@dataclass(frozen=True)
class Site:
    """Everything of this module: both pairs, and a world whose own components stay away."""

    world: World
    catalogds: Replicas
    controllers: Replicas

    def start(self) -> None:
        self.catalogds.start()
        self.controllers.start()

    def is_served_by(self, replica: Component, name: str) -> bool:
        """Whether the status of a catalog sends readers to this replica."""
        status = (self.world.kubectl.get("clustercatalog", name) or {}).get("status") or {}
        return str(replica.flags["external-address"]) in status.get("urls", {}).get("base", "")

    @property
    def all(self) -> list[Component]:
        return [*self.catalogds.all, *self.controllers.all]


@pytest.fixture(scope="module")
def everybody(own_cluster: Cluster) -> Iterator[Site]:
    world = World(own_cluster)
    made = Site(
        world,
        Replicas(own_cluster, catalogd),
        Replicas(own_cluster, operator_controller),
    )
    made.start()
    yield made
    made.start()
    world.kubectl.run("delete", "clusterextensions,clustercatalogs", "--all", "--timeout=150s")
    for component in made.all:
        print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
        component.stop()


@pytest.fixture
def site(everybody: Site) -> Site:
    """All four replicas, running."""
    everybody.start()
    return everybody


@pytest.fixture
def operator(site: Site) -> Iterator[Operator]:
    made = Operator(site.world).prepare()
    yield made
    site.start()
    made.delete()
    made.forget()


@pytest.fixture
def fleet(site: Site) -> Iterator[list[Operator]]:
    """Four operators that one catalog offers."""
    made = [Operator(site.world).prepare() for _ in range(4)]
    publish(site.world, made[0].name, {operator.name: bundles(operator.name) for operator in made})
    yield made
    site.start()
    for operator in made:
        operator.delete()
        operator.forget()


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    versions = ("1.0.0", "1.1.0")
    return {
        version: bundle_of(name, version, config_map(f"{name}-v", v=version), crds=["things"]) for version in versions
    }


def test_only_leaders_write(site: Site, operator: Operator) -> None:
    mark = site.world.cluster.audit.position()
    operator.publish(bundles(operator.name)).install()
    operator.wait_installed("1.1.0")
    leaders = {site.catalogds.leader().name, site.controllers.leader().name}
    assert {*site.catalogds.writes(mark), *site.controllers.writes(mark)} == leaders


def test_standby_goes_on_where_a_killed_leader_was(site: Site, operator: Operator) -> None:
    operator.publish(bundles(operator.name)).install(version="1.0.0")
    heirs = (site.catalogds.standby(), site.controllers.standby())
    wait_for(operator.sets, "a revision")
    since = time.monotonic()
    for leader in (site.controllers.leader(), site.catalogds.leader()):
        leader.kill()
    assert site.controllers.takeover_s(heirs[1], since) < TAKEOVER_S
    assert site.catalogds.takeover_s(heirs[0], since) < TAKEOVER_S
    operator.wait_installed("1.0.0")
    operator.publish({**bundles(operator.name), "1.2.0": bundle_of(operator.name, "1.2.0")})
    operator.install(version=">1.1.0", upgradeConstraintPolicy="SelfCertified")
    operator.wait_installed("1.2.0")


def test_stopped_leader_hands_over_at_once(site: Site, operator: Operator) -> None:
    operator.publish(bundles(operator.name)).install(version="1.0.0")
    operator.wait_installed("1.0.0")
    for replicas in (site.catalogds, site.controllers):
        leader, heir = replicas.leader(), replicas.standby()
        since = time.monotonic()
        assert leader.stop() == 0
        assert replicas.takeover_s(heir, since) < 5
    operator.install()
    operator.wait_installed("1.1.0")


def test_leader_that_slept_too_long_writes_no_more(site: Site, fleet: list[Operator]) -> None:
    sleepers = (site.catalogds.leader(), site.controllers.leader())
    heirs = (site.catalogds.standby(), site.controllers.standby())
    for operator in fleet[:2]:
        operator.install(version="1.0.0")
        operator.wait_installed("1.0.0")
    for sleeper in sleepers:
        sleeper.kill(signal.SIGSTOP)
    since = time.monotonic()
    assert site.catalogds.takeover_s(heirs[0], since) < TAKEOVER_S
    assert site.controllers.takeover_s(heirs[1], since) < TAKEOVER_S
    wait_for(lambda: site.is_served_by(heirs[0], fleet[0].name), "the catalog to be served by the heir")
    mark = site.world.cluster.audit.position()
    for operator in fleet:
        operator.install()
    for operator in fleet:
        operator.wait_installed("1.1.0")
    for sleeper in sleepers:
        sleeper.kill(signal.SIGCONT)
    wait_for(lambda: not sleepers[1].is_running, "the controller that lost its lease to end")
    assert sleepers[0].is_running
    assert [site.controllers.writes(mark).get(sleepers[1].name), site.catalogds.writes(mark)] == [None, {}]


def test_sigterm_ends_busy_components_in_order(site: Site, fleet: list[Operator]) -> None:
    for operator in fleet:
        operator.install(version="1.0.0")
    wait_for(fleet[0].sets, "work to be under way")
    for component in site.all:
        component.kill(signal.SIGTERM)
    wait_for(lambda: not any(component.is_running for component in site.all), "all to end", timeout_s=10)
    assert {component.name: component.stop() for component in site.all} == {c.name: 0 for c in site.all}
    site.start()
    for operator in fleet:
        operator.wait_installed("1.0.0")
