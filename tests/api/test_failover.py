"""Two replicas of each component: one leads, the other goes on when it is killed, stopped or asleep."""

from __future__ import annotations

import base64
import json
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component, ComponentOptions, catalogd, operator_controller
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map, publish

LEASES = {"catalogd": "catalogd-operator-lock", "operator-controller": "9c4404e7.operatorframework.io"}
TAKEOVER_S = 20.0


class Replicas:
    """Two replicas of one component, each with a token of its own, so that the audit log tells them apart."""

    def __init__(self, cluster: Cluster, factory: Callable[[Cluster, ComponentOptions], Component], lease: str) -> None:
        self.cluster = cluster
        self.lease = lease
        self.both = [self._make(factory, number) for number in (1, 2)]
        self._tokens = {_token_id(Path(str(made.flags["kubeconfig"]))): made for made in self.both}

    def _make(self, factory: Callable[[Cluster, ComponentOptions], Component], number: int) -> Component:
        name = f"{factory.__name__}-{number}".replace("_", "-")
        made = factory(self.cluster, ComponentOptions(instance=name, flags={"leader-elect": "true"}))
        shared = Path(str(made.flags["kubeconfig"]))
        own = self.cluster.workspace.write(f"accounts/{name}.kubeconfig", shared.read_bytes())
        made.flags["kubeconfig"] = str(own)
        return made

    def start(self) -> None:
        """Start what does not run, and wait until both are ready and one leads."""
        idle = [made for made in self.both if not made.is_running]
        for made in idle:
            made.start()
        for made in idle:
            made.wait_ready()
        self.leader()

    def holder(self) -> Component | None:
        """The replica that holds the lease now."""
        lease = self.cluster.kubectl.get("lease", self.lease, SYSTEM_NAMESPACE) or {"spec": {}}
        identity = lease["spec"].get("holderIdentity")
        return next((made for made in self.both if identity and identity in made.log_text()), None)

    def leader(self) -> Component:
        """The replica that leads, as soon as one does."""
        return wait_for(self.holder, f"a holder of {self.lease}")

    def standby(self) -> Component:
        """The replica that does not lead."""
        leader = self.leader()
        return next(made for made in self.both if made is not leader)

    def takeover_s(self, heir: Component, since: float) -> float:
        """Wait until `heir` leads; seconds since the monotonic time `since`."""
        wait_for(lambda: self.holder() is heir, f"{heir.name} to lead", timeout_s=TAKEOVER_S + 5)
        return time.monotonic() - since

    def writes(self, since: int) -> dict[str, list[str]]:
        """What each replica wrote, but for the lease: verb, path and answer, by its name."""
        with self.cluster.audit.path.open("rb") as file:
            file.seek(since)
            events = [json.loads(line) for line in file if line.endswith(b"\n")]
        found: dict[str, list[str]] = {}
        for event in filter(_is_work, events):
            made = self._tokens.get(_credential(event))
            if made is not None:
                text = f"{event['verb']} {event['requestURI']} {event['responseStatus']['code']}"
                found.setdefault(made.name, []).append(text)
        return found


def _token_id(kubeconfig: Path) -> str:
    token = json.loads(kubeconfig.read_text())["users"][0]["user"]["token"]
    payload = token.split(".")[1]
    return str(json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["jti"])


def _credential(event: dict[str, Any]) -> str:
    found = event["user"].get("extra", {}).get("authentication.kubernetes.io/credential-id", [""])
    return str(found[0]).removeprefix("JTI=")


def _is_work(event: dict[str, Any]) -> bool:
    is_write = event["verb"] in ("create", "update", "patch", "delete")
    return is_write and "/leases" not in event["requestURI"]


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
        return [*self.catalogds.both, *self.controllers.both]


@pytest.fixture(scope="module")
def everybody(own_cluster: Cluster) -> Iterator[Site]:
    world = World(own_cluster)
    made = Site(
        world,
        Replicas(own_cluster, catalogd, LEASES["catalogd"]),
        Replicas(own_cluster, operator_controller, LEASES["operator-controller"]),
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
