"""What an extension needs of its cluster and of other extensions: absent APIs, requirements, dependents, the proxy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map, crd

MONITORING = "monitoring.coreos.com"


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    yield from prepared(world)


@pytest.fixture
def other(world: World) -> Iterator[Operator]:
    yield from prepared(world)


def prepared(world: World) -> Iterator[Operator]:
    made = Operator(world).prepare()
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


@contextmanager
def definition(world: World, manifest: Mapping[str, Any]) -> Iterator[None]:
    """A CRD of somebody else, established."""
    name = manifest["metadata"]["name"]
    world.kubectl.apply(manifest)
    world.kubectl.run("wait", "--for=condition=Established", f"crd/{name}", "--timeout=150s")
    try:
        yield
    finally:
        world.kubectl.delete("crd", name)


def monitor(name: str) -> dict[str, Any]:
    return {"apiVersion": f"{MONITORING}/v1", "kind": "ServiceMonitor", "metadata": {"name": name}, "spec": {}}


def monitors() -> dict[str, Any]:
    made = crd("servicemonitors", MONITORING)
    made["spec"]["names"].update(kind="ServiceMonitor", listKind="ServiceMonitorList")
    return made


def requiring(files: Mapping[str, bytes], *dependencies: Mapping[str, Any]) -> dict[str, bytes]:
    return {**files, "metadata/dependencies.yaml": json.dumps({"dependencies": list(dependencies)}).encode()}


def api_of(operator: Operator) -> dict[str, Any]:
    return {"type": "olm.gvk", "value": {"group": f"{operator.name}.example.com", "version": "v1", "kind": "Thing"}}


def test_monitoring_is_left_out_and_applied_when_its_api_appears(world: World, operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0", monitor(f"{operator.name}-monitor"))})
    operator.install()
    operator.wait_installed("1.0.0")
    text = f"objects of {MONITORING}/v1/ServiceMonitor are left out"
    wait_for(lambda: any(text in event["note"] for event in events_about(operator)), "an Event about what is left out")
    with definition(world, monitors()):
        found = f"servicemonitors.{MONITORING}"
        wait_for(lambda: world.kubectl.get(found, f"{operator.name}-monitor", operator.namespace), "the monitor")
        operator.wait_installed("1.0.0")
    operator.wait_set(3, "Succeeded", status="True")
    operator.wait_installed("1.0.0")


def events_about(operator: Operator) -> list[dict[str, Any]]:
    found = operator.kubectl.items("events.events.k8s.io", "default")
    return [event for event in found if event["regarding"].get("name") == operator.name]


def test_missing_apis_are_named_before_anything_is_applied(world: World, operator: Operator) -> None:
    group, kind = "autoscaling.k8s.io", "VerticalPodAutoscaler"
    scaler = {"apiVersion": f"{group}/v1", "kind": kind, "metadata": {"name": f"{operator.name}-scaler"}, "spec": {}}
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0", config_map(f"{operator.name}-v"), scaler)})
    operator.install()
    text = (
        f'error for resolved bundle "{operator.name}.v1.0.0" with version "1.0.0": '
        f"required APIs are not available on the cluster: {group}/v1 ({kind})"
    )
    operator.wait("Progressing", status="True", reason="Retrying", message=text)
    assert operator.sets() == []
    scalers = crd("verticalpodautoscalers", group)
    scalers["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, for a test"}
    scalers["spec"]["names"].update(kind=kind, listKind=f"{kind}List")
    with definition(world, scalers):
        operator.wait_installed("1.0.0")
        operator.delete()


def test_rollout_is_held_until_another_extension_meets_its_requirement(
    world: World, operator: Operator, other: Operator
) -> None:
    wanted = {"type": "olm.package", "value": {"packageName": other.name, "version": ">=1.1.0"}}
    operator.publish({"1.0.0": requiring(bundle_of(operator.name, "1.0.0"), wanted, api_of(other))})
    other.publish({version: bundle_of(other.name, version, crds=["things"]) for version in ("1.0.0", "1.1.0")})
    other.install(version="1.0.0")
    other.wait_installed("1.0.0")
    operator.install()
    message = str(operator.wait("Progressing", status="False", reason="Blocked")["message"])
    assert message.startswith(
        f'validating bundle "{operator.name}.v1.0.0": unmet dependencies:\n- package "{other.name}"'
    )
    operator.wait("DependenciesSatisfied", status="False", reason="Unsatisfied")
    assert operator.sets() == []
    other.install()
    operator.wait_installed("1.0.0")
    operator.wait("DependenciesSatisfied", status="True", reason="Satisfied")
    other.delete()
    operator.wait("DependenciesSatisfied", status="False", reason="Unsatisfied")
    operator.wait("Progressing", status="True", reason="Succeeded")
    other.install()
    other.wait_installed("1.1.0")
    operator.wait("DependenciesSatisfied", status="True", reason="Satisfied")


def test_requirements_are_only_told_when_the_user_says_so(world: World, operator: Operator) -> None:
    wanted = {"type": "olm.package", "value": {"packageName": "nobody-has-it", "version": ">=1.0.0"}}
    operator.publish({"1.0.0": requiring(bundle_of(operator.name, "1.0.0"), wanted)})
    operator.install()
    operator.wait("Progressing", status="False", reason="Blocked")
    switch = "extras.olm.operatorframework.io/dependencies=Warn"
    world.kubectl.run("annotate", "clusterextension", operator.name, switch)
    operator.wait_installed("1.0.0")
    operator.wait("DependenciesSatisfied", status="False", reason="Unsatisfied")


def test_upgrade_that_would_break_another_extension_is_held(world: World, operator: Operator, other: Operator) -> None:
    other.publish({version: bundle_of(other.name, version, crds=["things"]) for version in ("1.0.0",)})
    other.install()
    other.wait_installed("1.0.0")
    operator.publish({"1.0.0": requiring(bundle_of(operator.name, "1.0.0"), api_of(other))})
    operator.install()
    operator.wait_installed("1.0.0")
    other.publish(
        {
            "1.0.0": bundle_of(other.name, "1.0.0", crds=["things"]),
            "1.1.0": bundle_of(other.name, "1.1.0", crds=["odds"]),
        }
    )
    message = str(other.wait("Progressing", status="False", reason="Blocked")["message"])
    assert f'bundle "{other.name}.v1.1.0" would break ClusterExtension "{operator.name}"' in message
    other.wait("Installed", status="True", reason="Succeeded")
    operator.delete()
    other.wait_installed("1.1.0")


def test_proxy_of_the_cluster_reaches_the_operator(world: World, operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0")})
    operator.install()
    operator.wait_installed("1.0.0")
    proxies = crd("proxies", "config.openshift.io")
    proxies["spec"]["scope"] = "Cluster"
    proxies["spec"]["names"].update(kind="Proxy", singular="proxy", listKind="ProxyList")

    def environment() -> list[dict[str, str]]:
        found = world.kubectl.get("deployment", f"{operator.name}-controller", operator.namespace) or {}
        listed: list[dict[str, str]] = found["spec"]["template"]["spec"]["containers"][0].get("env") or []
        return listed

    with definition(world, proxies):
        head = {"apiVersion": "config.openshift.io/v1", "kind": "Proxy", "metadata": {"name": "cluster"}}
        world.kubectl.apply({**head, "status": {"httpsProxy": "http://proxy.example.com:3128"}})
        wanted = {"name": "HTTPS_PROXY", "value": "http://proxy.example.com:3128"}
        wait_for(lambda: wanted in environment(), "the proxy to be in the environment")
        operator.wait_installed("1.0.0")
    wait_for(lambda: environment() == [], "the proxy to be gone from the environment")
    operator.wait_installed("1.0.0")


def test_users_of_the_provided_apis_get_roles_when_asked_for(world: World, operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0", crds=["things"])})
    operator.install()
    operator.wait_installed("1.0.0")
    name = f"things.{operator.name}.example.com-v1"
    assert world.kubectl.get("clusterrole", f"{name}-admin") is None
    world.kubectl.run("annotate", "clusterextension", operator.name, "extras.olm.operatorframework.io/api-roles=true")
    wanted = [f"{name}-{role}" for role in ("admin", "edit", "view", "crdview")]
    wait_for(lambda: all(world.kubectl.get("clusterrole", role) for role in wanted), "the roles")
    admin = world.kubectl.get("clusterrole", f"{name}-admin") or {}
    assert admin["metadata"]["labels"]["rbac.authorization.k8s.io/aggregate-to-admin"] == "true"
    assert admin["rules"] == [{"apiGroups": [f"{operator.name}.example.com"], "resources": ["things"], "verbs": ["*"]}]
    operator.wait_installed("1.0.0")
    world.kubectl.run("annotate", "clusterextension", operator.name, "extras.olm.operatorframework.io/api-roles-")
    wait_for(lambda: world.kubectl.get("clusterrole", f"{name}-admin") is None, "the roles to be gone")
    operator.wait_installed("1.0.0")
