"""Both components on certificates of their own: made once for all replicas, followed, made good after any harm."""

from __future__ import annotations

import base64
import json
import socket
import ssl
import urllib.error
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component, ComponentOptions, catalogd
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.world import World
from olmv1.serving_certificate.material import Material, data_of
from olmv1.serving_certificate.renewal import Wanted, renewed
from tests.api.fetching import fetch
from tests.api.operators import Operator, bundle_of

SERVING, CONTROLLER_SERVING = "catalogd-serving", "operator-controller-serving"
PATIENCE_S = 60.0
OWN: dict[str, str | None] = {"own-certificates": SERVING, "tls-cert": None, "tls-key": None}
CONTROLLER = {
    **OWN,
    "own-certificates": CONTROLLER_SERVING,
    "catalogd-ca-secret": SERVING,
    "catalogd-cas-dir": None,
}
KEYS = ["ca.crt", "signer.crt", "signer.key", "tls.crt", "tls.key"]
Address = tuple[str, int]


class Site:
    """Two catalogds and a controller, none of which has a certificate file."""

    def __init__(self, cluster: Cluster) -> None:
        self.world = World(cluster, controller_flags=CONTROLLER)
        self.kubectl = cluster.kubectl
        self.controller = self.world.components.operator_controller
        first = self.world.components.catalogd
        first.flags |= {**OWN, "leader-elect": "true"}
        flags = {**OWN, "leader-elect": "true"}
        second = catalogd(cluster, ComponentOptions(instance="catalogd-second", flags=flags))
        self.catalogds = (first, second)

    @property
    def all(self) -> tuple[Component, ...]:
        return (*self.catalogds, self.controller)

    def start(self) -> Site:
        """Start what does not run, all at once, and wait until it is ready."""
        idle = [component for component in self.all if not component.is_running]
        for component in idle:
            component.start()
        for component in idle:
            component.wait_ready(PATIENCE_S)
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """What a catalogd of this machine wants to be called."""
        host = f"catalogd-service.{SYSTEM_NAMESPACE}.svc"
        return ("127.0.0.1", host, f"{host}.cluster.local", "localhost")

    def secret(self, name: str = SERVING) -> dict[str, Any]:
        return self.kubectl.get("secret", name, SYSTEM_NAMESPACE) or {}

    def stored(self, key: str, name: str = SERVING) -> str:
        """A text in the Secret, empty where there is none."""
        return base64.b64decode((self.secret(name).get("data") or {}).get(key, "")).decode(errors="replace")

    def write(self, data: dict[str, str | None]) -> None:
        """Merge into the data of the Secret."""
        patch = json.dumps({"data": data})
        self.kubectl.run("patch", "secret", SERVING, "-n", SYSTEM_NAMESPACE, "--type=merge", "-p", patch)

    def is_whole(self) -> bool:
        """Whether every catalogd offers the stored certificate, and who trusts what is published accepts it."""
        certificate, trust = self.stored("tls.crt"), self.stored("ca.crt")
        return bool(certificate) and all(
            offered_by(address_of(one, "catalogs-server-addr"), trust, "127.0.0.1") == certificate
            for one in self.catalogds
        )

    def wait_whole(self, but_for: str = "") -> None:
        """Wait until all is well, with another certificate than `but_for`."""
        wait_for(
            lambda: self.stored("tls.crt") != but_for and self.is_whole(),
            "all replicas to offer the stored certificate",
            timeout_s=PATIENCE_S,
        )


def address_of(component: Component, flag: str) -> Address:
    host, _, port = str(component.flags[flag]).partition(":")
    return host, int(port)


def offered_by(address: Address, trust: str, host: str) -> str:
    """The certificate (PEM) that a client who trusts only `trust` accepts from a server; empty when it accepts none."""
    try:
        context = ssl.create_default_context(cadata=trust)
        with (
            socket.create_connection(address, 10) as raw,
            context.wrap_socket(raw, server_hostname=host) as client,
        ):
            return ssl.DER_cert_to_PEM_cert(client.getpeercert(binary_form=True) or b"")
    except (OSError, ValueError):
        return ""


@pytest.fixture(scope="module")
def site(olm: Cluster) -> Iterator[Site]:
    made = Site(olm).start()
    yield made
    made.kubectl.run("delete", "clusterextensions,clustercatalogs", "--all", "--timeout=150s")
    for component in made.all:
        print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
        component.stop()


@pytest.fixture
def operator(site: Site) -> Iterator[Operator]:
    made = Operator(site.world).prepare()
    yield made
    made.delete()
    made.forget()


def bundles(name: str, *versions: str) -> dict[str, dict[str, bytes]]:
    return {version: bundle_of(name, version) for version in versions}


def test_main_job_needs_no_certificate_from_anybody(site: Site, operator: Operator) -> None:
    operator.publish(bundles(operator.name, "1.0.0")).install()
    operator.wait_installed("1.0.0")
    secret = site.secret()
    assert secret["type"] == "kubernetes.io/tls"
    assert secret["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "olm.operatorframework.io"}
    assert sorted(secret["data"]) == KEYS
    metrics = address_of(site.controller, "metrics-bind-address")
    trust, wanted = site.stored("ca.crt", CONTROLLER_SERVING), site.stored("tls.crt", CONTROLLER_SERVING)
    for host in ("localhost", "operator-controller-service.olmv1-system.svc"):
        assert offered_by(metrics, trust, host) == wanted
    assert offered_by(metrics, site.stored("ca.crt"), "localhost") == ""


def test_replicas_that_start_together_share_what_one_of_them_made(site: Site) -> None:
    for one in site.catalogds:
        one.stop()
    site.kubectl.delete("secret", SERVING, SYSTEM_NAMESPACE)
    mark = site.world.cluster.audit.position()
    site.start()
    site.wait_whole()
    writes = site.world.cluster.audit.requests(user="catalogd-controller-manager", since=mark)
    done = [item for item in writes if item.is_write and item.uri.partition("?")[0].endswith(SERVING)]
    assert len([item for item in done if item.code < 300]) == 1


def foreign() -> dict[str, str]:
    """The content of somebody else, good in itself."""
    return data_of(renewed(Material(), Wanted(("elsewhere.example.com",), "x"), datetime.now(UTC)).material)


def harmed(site: Site, harm: str) -> None:
    other = foreign()
    changes: dict[str, dict[str, str | None]] = {
        "certificate of somebody else": {key: other[key] for key in ("tls.crt", "tls.key")},
        "certificate that is none": {"tls.crt": base64.b64encode(b"none").decode()},
        "key that is none": {"signer.key": base64.b64encode(b"\xff\x00").decode()},
        "authority lost": {"signer.crt": None, "signer.key": None},
        "trust lost": {"ca.crt": None},
        "keys of somebody else": {"notes": base64.b64encode(b"mine").decode(), "tls.key": other["tls.key"]},
    }
    if harm == "deleted":
        site.kubectl.delete("secret", SERVING, SYSTEM_NAMESPACE)
    else:
        site.write(changes[harm])


@pytest.mark.parametrize(
    "harm",
    [
        "deleted",
        "certificate of somebody else",
        "certificate that is none",
        "key that is none",
        "authority lost",
        "trust lost",
        "keys of somebody else",
    ],
)
def test_harm_is_made_good_without_a_restart(site: Site, harm: str) -> None:
    pids = [one.pid for one in site.all]
    site.wait_whole()
    harmed(site, harm)
    wait_for(
        lambda: sorted(site.secret().get("data") or {}) == KEYS and site.is_whole(),
        f"all to be well after {harm}",
        timeout_s=PATIENCE_S,
    )
    assert [one.pid for one in site.all if one.is_running] == pids


def test_controller_follows_a_new_authority(site: Site, operator: Operator) -> None:
    site.wait_whole()
    before = site.stored("tls.crt")
    site.kubectl.delete("secret", SERVING, SYSTEM_NAMESPACE)
    site.wait_whole(but_for=before)
    operator.publish(bundles(operator.name, "1.0.0")).install()
    operator.wait_installed("1.0.0")


def aged(site: Site, days: float) -> Material:
    """Let the Secret hold what was made so many days ago, as far as it was kept in order since."""
    names = (*site.names, "more.example.com")
    material = renewed(Material(), Wanted(names, SERVING), datetime.now(UTC) - timedelta(days=days)).material
    gone: dict[str, str | None] = dict.fromkeys(site.secret()["data"])
    site.write({**gone, **data_of(material)})
    return material


@pytest.mark.parametrize(
    ("days", "keys", "is_same_signer"),
    [
        pytest.param(61, KEYS, True, id="certificate ends"),
        pytest.param(91, KEYS, True, id="certificate has ended"),
        pytest.param(500, [*KEYS, "next-signer.crt", "next-signer.key"], True, id="authority ends"),
        pytest.param(731, KEYS, False, id="authority has ended"),
    ],
)
def test_time_is_followed_without_a_restart(site: Site, days: float, keys: list[str], is_same_signer: bool) -> None:
    pids = [one.pid for one in site.all]
    site.wait_whole()
    before = aged(site, days)
    assert before.serving is not None
    assert before.signer is not None
    site.wait_whole(but_for=before.serving.certificate)
    assert sorted(site.secret()["data"]) == sorted(keys)
    assert (site.stored("signer.crt") == before.signer.certificate) == is_same_signer
    assert [one.pid for one in site.all if one.is_running] == pids


def test_successor_takes_over_and_the_one_before_stays_trusted(site: Site) -> None:
    site.wait_whole()
    now = datetime.now(UTC)
    made = renewed(Material(), Wanted(site.names, SERVING), now - timedelta(days=690)).material
    waiting = renewed(made, Wanted(site.names, SERVING), now - timedelta(days=200)).material
    assert waiting.serving is not None
    assert waiting.successor is not None
    site.write({**dict.fromkeys(site.secret()["data"]), **data_of(waiting)})
    site.wait_whole(but_for=waiting.serving.certificate)
    assert sorted(site.secret()["data"]) == sorted([*KEYS, "retired.crt"])
    assert (site.stored("signer.crt"), site.stored("ca.crt")) == (waiting.successor.certificate, waiting.trust)


@pytest.fixture
def lonely(olm: Cluster, site: Site) -> Iterator[Component]:
    """A catalogd, not started, whose Secret is another one, which it has no right to write."""
    flags = {**OWN, "own-certificates": "taken", "leader-elect": "true"}
    made = catalogd(olm, ComponentOptions(instance="catalogd-lonely", flags=flags))
    yield made
    site.kubectl.delete("secret", "taken", SYSTEM_NAMESPACE)
    if made.is_running:
        made.stop()


def told_by(component: Component) -> str:
    """What the check of the certificate says."""
    try:
        return fetch(f"{component.probe_url}/readyz/certificate").strip()
    except urllib.error.HTTPError as refused:
        return refused.read().decode().strip()
    except OSError:
        return ""


def test_secret_of_somebody_else_is_left_alone_and_named(site: Site, lonely: Component) -> None:
    metadata = {"name": "taken", "namespace": SYSTEM_NAMESPACE}
    site.kubectl.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"a": "b"}})
    lonely.start()
    refusal = (
        "Secret olmv1-system/taken is needed for our own certificates: "
        'expected type "kubernetes.io/tls", found "Opaque"'
    )
    wait_for(lambda: told_by(lonely) == refusal, refusal, timeout_s=PATIENCE_S)
    assert site.secret("taken")["data"] == {"a": "Yg=="}
    site.kubectl.delete("secret", "taken", SYSTEM_NAMESPACE)
    forbidden = (
        "Secret olmv1-system/taken with our own certificates cannot be written: "
        'secrets "taken" is forbidden: User "system:serviceaccount:olmv1-system:catalogd-controller-manager" '
        'cannot patch resource "secrets" in API group "" in the namespace "olmv1-system"'
    )
    wait_for(lambda: told_by(lonely) == forbidden, forbidden, timeout_s=PATIENCE_S)
