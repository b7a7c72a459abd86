"""An account that loses a right while an upgrade is under way: the old version goes on running, kept in repair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from devcluster.write_gate import WriteGate
from tests.api.operators import PREFIX, Operator, bundle_of, config_map, running_world


@pytest.fixture
def gate(own_cluster: Cluster) -> Iterator[WriteGate]:
    own_cluster.install_olm()
    made = WriteGate(own_cluster)
    yield made
    made.stop()


@pytest.fixture
def operator(own_cluster: Cluster, gate: WriteGate) -> Iterator[Operator]:
    """An operator whose account may do in its namespace what the bundles need, and no more."""
    flags = {"kubeconfig": str(gate.kubeconfig_for("operator-controller-controller-manager"))}
    with running_world(own_cluster, flags) as world:
        made = Operator(world).prepare()
        world.kubectl.delete("clusterrolebinding", made.name)
        for resource in ("configmaps", "services", "deployments.apps"):
            grant(made, resource)
        made.publish(bundles(made.name))
        yield made
        gate.open()
        grant(made, "services")
        made.delete()
        made.forget()


def grant(operator: Operator, resource: str) -> None:
    name, namespace = resource.partition(".")[0], operator.namespace
    if operator.kubectl.get("role", name, namespace) is None:
        rule = ("--verb=*", f"--resource={resource}")
        operator.kubectl.run("create", "role", name, "-n", namespace, *rule)
        account = f"--serviceaccount={operator.account}"
        operator.kubectl.run("create", "rolebinding", name, "-n", namespace, f"--role={name}", account)


def take_away(operator: Operator, resource: str) -> None:
    """Remove the right, and wait until the API server knows."""
    operator.kubectl.delete("role", resource, operator.namespace)
    operator.kubectl.delete("rolebinding", resource, operator.namespace)
    asked = ("auth", "can-i", "patch", resource, "-n", operator.namespace)
    user = f"--as=system:serviceaccount:{operator.account}"
    wait_for(
        lambda: operator.kubectl.attempt(*asked, user).stdout.strip() == b"no", f"the right on {resource} to be gone"
    )


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    """The second version has a Service more, which comes before the Deployment."""
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": f"{name}-front"},
        "spec": {"selector": {"app": name}, "ports": [{"port": 80}]},
    }
    settings = config_map(f"{name}-settings")
    return {
        "1.0.0": bundle_of(name, "1.0.0", settings),
        "1.1.0": bundle_of(name, "1.1.0", settings, service),
    }


def image_of(deployment: dict[str, Any] | None) -> str:
    return "" if deployment is None else str(deployment["spec"]["template"]["spec"]["containers"][0]["image"])


def test_account_that_loses_a_right_mid_upgrade_keeps_the_old_version_running_and_repaired(
    operator: Operator, gate: WriteGate
) -> None:
    name, deployment = operator.name, ("deployment", f"{operator.name}-controller", operator.namespace)
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    gate.watch_for(name, close_after=3)
    operator.install(version="1.1.0")
    wait_for(lambda: gate.is_closed, "the upgrade to be under way", timeout_s=60)
    assert [write.method for write in gate.seen] == ["POST", "POST", "PATCH"]  # Secret, revision, owner of the Secret
    take_away(operator, "services")
    gate.open()

    told = operator.wait("Progressing", status="True", reason="Retrying")["message"]
    account = f"system:serviceaccount:{operator.account}"
    assert f"v1, Kind=Service {operator.namespace}/{name}-front: " in told
    assert f'User "{account}" cannot patch resource "services"' in told
    extension = operator.world.extension(name) or {}
    assert extension["status"]["install"]["bundle"]["version"] == "1.0.0"
    assert operator.wait("Installed", status="True", reason="Succeeded")
    assert operator.lifecycle() == {f"{name}-1": "Active", f"{name}-2": "Active"}

    before = operator.kubectl.get(*deployment)
    assert before is not None
    operator.kubectl.delete(*deployment)
    operator.world.patch("configmap", f"{name}-settings", {"data": {"a": "changed"}}, operator.namespace)
    wait_for(
        lambda: image_of(operator.kubectl.get(*deployment)) == image_of(before),
        "the Deployment to be back",
        timeout_s=60,
    )
    wait_for(
        lambda: (
            (operator.kubectl.get("configmap", f"{name}-settings", operator.namespace) or {}).get("data") == {"a": "b"}
        ),
        "the ConfigMap to be repaired",
        timeout_s=60,
    )
    after = operator.kubectl.get(*deployment)
    assert after is not None
    assert after["metadata"]["uid"] != before["metadata"]["uid"]
    assert after["metadata"]["annotations"][f"{PREFIX}/bundle-version"] == "1.0.0"
    operator.wait("Available", status="True")

    grant(operator, "services")
    operator.wait_installed("1.1.0")
    operator.wait_torn_down(1)
