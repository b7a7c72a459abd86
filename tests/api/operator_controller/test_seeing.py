"""What people and their tools see of an extension: readiness, the reason of failing pods, upgrades, Events, metrics."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from devcluster.cluster import Cluster
from e2e.world import World, condition, expect
from tests.api.fetching import metrics_of
from tests.api.operators import Operator, bundle_of, running_world

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    made = Operator(world).prepare()
    yield made
    made.kubectl.delete("clusterextension", made.name)
    made.forget()


def kstatus(obj: Mapping[str, Any]) -> str:
    """What tools that know nothing of the kind make of an object, as kstatus reads it."""
    status = obj.get("status") or {}
    if status.get("observedGeneration") != obj["metadata"]["generation"]:
        return "InProgress"
    if condition(obj, "Reconciling").get("status") == "True":
        return "InProgress"
    if condition(obj, "Stalled").get("status") == "True":
        return "Failed"
    return "Current" if condition(obj, "Ready").get("status") == "True" else "InProgress"


def wait_kstatus(operator: Operator, wanted: str) -> Mapping[str, Any]:
    """Wait until tools see `wanted` of the extension; the extension."""

    def look() -> Mapping[str, Any] | None:
        found = operator.kubectl.get("clusterextension", operator.name) or {}
        return found if found and kstatus(found) == wanted else None

    return expect(
        f"{operator.name} to be {wanted}",
        look,
        lambda: operator.kubectl.get("clusterextension", operator.name),
        PATIENCE_S,
    )


def wait_ready(operator: Operator, resource: str, name: str) -> dict[str, Any]:
    operator.kubectl.run("wait", "--for=condition=Ready", f"{resource}/{name}", "--timeout=60s", timeout_s=90)
    found = operator.kubectl.get(resource, name)
    assert found is not None
    return found


def stuck(name: str, version: str) -> dict[str, bytes]:
    """A bundle whose pods want a node that is not there."""
    files = bundle_of(name, version)
    csv = json.loads(files["manifests/000.yaml"])
    (deployment,) = csv["spec"]["install"]["spec"]["deployments"]
    deployment["spec"]["template"]["spec"]["nodeSelector"] = {"kind": "unheard-of"}
    return {**files, "manifests/000.yaml": json.dumps(csv).encode()}


def test_kubectl_waits_for_an_extension_and_its_revision(operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0")})
    operator.install()
    ext = wait_ready(operator, "clusterextension", operator.name)
    revision = wait_ready(operator, "clusterobjectset", f"{operator.name}-1")
    assert [kstatus(item) for item in (ext, revision)] == ["Current", "Current"]
    fine = "Objects are available and pass all probes."
    assert (condition(ext, "Ready")["reason"], condition(ext, "Ready")["message"]) == ("Succeeded", fine)


def test_tools_see_what_only_a_change_can_help(operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0")})
    manifest = operator.manifest()
    account = manifest["spec"].pop("serviceAccount")
    operator.kubectl.apply(manifest)
    ext = wait_kstatus(operator, "Failed")
    told = condition(ext, "Progressing")
    for type_, status in (("Stalled", "True"), ("Ready", "False")):
        found = condition(ext, type_)
        assert [found[key] for key in ("status", "reason", "message")] == [status, "Blocked", told["message"]]
    operator.kubectl.apply({**manifest, "spec": {**manifest["spec"], "serviceAccount": account}})
    assert not condition(wait_kstatus(operator, "Current"), "Stalled")


def test_a_pod_that_does_not_start_is_named_with_its_reason(operator: Operator) -> None:
    operator.publish({"1.0.0": stuck(operator.name, "1.0.0")})
    operator.install()
    first = f"Object Deployment.apps/v1 {operator.namespace}/{operator.name}-controller: "

    def told(reason: str) -> str | None:
        text = str(condition(operator.kubectl.get("clusterobjectset", f"{operator.name}-1"), "Available"))
        return text if reason in text else None

    expect("an unschedulable pod to be named", lambda: told("Unschedulable: 0/"), operator.sets, PATIENCE_S)
    (pod,) = operator.kubectl.items("pods", operator.namespace)
    waiting = {"name": "manager", "image": "", "imageID": "", "ready": False, "restartCount": 0}
    waiting["state"] = {"waiting": {"reason": "ErrImagePull", "message": "not found"}}
    set_status(operator, pod, containerStatuses=[waiting])
    name = pod["metadata"]["name"]
    expect("the image to be named", lambda: told("ImagePullBackOff"), operator.sets, PATIENCE_S)
    available = condition(operator.kubectl.get("clusterobjectset", f"{operator.name}-1"), "Available")
    image = f"registry.example.com/{operator.name}:v1.0.0"
    assert available["message"].startswith(first)
    assert available["message"].endswith(f': pod "{name}" container "manager": ImagePullBackOff (image "{image}")')
    ready = operator.wait("Ready", status="False", message=f"Revision 1.0.0 is rolling out.\n{available['message']}")
    assert ready["reason"] == "RollingOut"


def test_an_installed_extension_names_the_pod_that_crashes_until_it_is_well(operator: Operator) -> None:
    operator.publish({"1.0.0": bundle_of(operator.name, "1.0.0")})
    operator.install()
    wait_kstatus(operator, "Current")
    (pod,) = operator.kubectl.items("pods", operator.namespace)
    ended = {"exitCode": 3, "reason": "Error", "startedAt": None, "finishedAt": None}
    crashing = {"name": "manager", "image": "", "imageID": "", "ready": False, "restartCount": 2}
    crashing |= {"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": ended}}
    unready = {"type": "Ready", "status": "False", "reason": "ContainersNotReady"}
    set_status(operator, pod, containerStatuses=[crashing], conditions=[unready])
    name, image = pod["metadata"]["name"], f"registry.example.com/{operator.name}:v1.0.0"
    reason = f': pod "{name}" container "manager": CrashLoopBackOff with exit code 3 (image "{image}")'
    ext = expect("the pod to be named", lambda: telling(operator, reason), operator.sets, PATIENCE_S)
    assert kstatus(ext) == "InProgress"
    assert condition(ext, "Ready")["reason"] == condition(ext, "Reconciling")["reason"] == "ProbeFailure"
    expect("an Event", lambda: events(operator, "ProbeFailure"), lambda: events(operator), PATIENCE_S)
    operator.kubectl.delete("pod", name, operator.namespace, wait=False)
    wait_kstatus(operator, "Current")


def telling(operator: Operator, reason: str) -> Mapping[str, Any] | None:
    """The extension, once its health and its readiness both end with `reason`."""
    ext = operator.kubectl.get("clusterextension", operator.name)
    told = [condition(ext, type_).get("message", "").endswith(reason) for type_ in ("Available", "Ready")]
    return ext if all(told) else None


def set_status(operator: Operator, pod: Mapping[str, Any], **status: Any) -> None:
    """Change the status of a pod as its kubelet would."""
    subject = ("pod", pod["metadata"]["name"], "-n", operator.namespace)
    operator.kubectl.run("patch", *subject, "--subresource=status", "-p", json.dumps({"status": status}))


def test_what_a_pinned_version_keeps_away_is_listed_counted_and_told(world: World, operator: Operator) -> None:
    versions = ("1.0.0", "1.1.0", "1.2.0")
    operator.publish({version: bundle_of(operator.name, version) for version in versions[:2]})
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    offered = {"bundle": f"{operator.name}.v1.1.0", "version": "1.1.0", "catalog": operator.name}
    expect("one upgrade", lambda: upgrades(operator) == [offered], lambda: upgrades(operator), PATIENCE_S)
    assert f'olm_upgrade_available{{name="{operator.name}"}} 1.0' in metrics(world)
    told = f"{operator.name}.v1.1.0 can replace {operator.name}.v1.0.0"
    expect("an Event", lambda: told in events(operator, "UpgradeAvailable"), lambda: events(operator), PATIENCE_S)
    operator.install(version="1.1.0")
    operator.wait_installed("1.1.0")
    expect("no upgrade", lambda: upgrades(operator) == [], lambda: upgrades(operator), PATIENCE_S)


def test_metrics_follow_an_extension(world: World, operator: Operator) -> None:
    name, namespace = operator.name, operator.namespace
    operator.publish({version: bundle_of(name, version) for version in ("1.0.0", "1.1.0")})
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    operator.install(version=">=1.0.0", channels=["stable"])
    operator.wait_installed("1.1.0")
    info = f'catalog="{name}",channels="stable",installed="1.1.0",name="{name}",package="{name}",version=">=1.0.0"'
    expect(
        "the metrics of an upgraded extension",
        lambda: (
            {
                f"olm_extension_info{{{info}}} 1.0",
                f'olm_extension_ready{{name="{name}",namespace="{namespace}",package="{name}",version="1.1.0"}} 1.0',
                f'olm_extension_upgrades_total{{name="{name}"}} 1.0',
                f'olm_drift_total{{name="{name}"}} 0.0',
            }
            <= metrics(world)
        ),
        lambda: sorted(line for line in metrics(world) if name in line),
        PATIENCE_S,
    )
    operator.kubectl.delete("deployment", f"{name}-controller", namespace, wait=False)
    expect(
        "drift to be counted",
        lambda: f'olm_drift_total{{name="{name}"}} 0.0' not in metrics(world),
        lambda: sorted(line for line in metrics(world) if name in line),
        PATIENCE_S,
    )


def upgrades(operator: Operator) -> list[dict[str, str]]:
    ext = operator.kubectl.get("clusterextension", operator.name) or {}
    listed: list[dict[str, str]] = (ext.get("status") or {}).get("availableUpgrades") or []
    return listed


def events(operator: Operator, reason: str = "") -> list[str]:
    """The messages of the Events about the extension."""
    found = operator.kubectl.items("events.events.k8s.io", "default")
    mine = [item for item in found if item["regarding"]["name"] == operator.name]
    return [item["note"] for item in mine if reason in item["reason"]]


def metrics(world: World) -> set[str]:
    return set(metrics_of(world.cluster, world.components.operator_controller).splitlines())
