"""The control plane of the API tests is a real one: rights, tokens, pods, audit, registry, and a clean end."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.daemon import is_alive
from devcluster.errors import DevClusterError
from devcluster.images import catalog_image, image_of, index_of
from devcluster.kubectl import Kubectl
from devcluster.registry import Registry
from devcluster.waiting import wait_for

PROJECT = Path(__file__).parents[2]

OWNER = """
import json, sys, time
from devcluster.cluster import Cluster
cluster = Cluster.start()
pids = [process.pid for process in cluster.processes]
print(json.dumps([str(cluster.state_dir), cluster.workspace.guard.pid, *pids]), flush=True)
time.sleep(600)
"""


def a_deployment(namespace: str) -> dict[str, Any]:
    labels = {"app": "till"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "till", "image": "example.com/till:1"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "till", "namespace": namespace},
        "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": pod},
    }


def a_config_map(namespace: str, name: str, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace, **metadata}}


def an_account(cluster: Cluster, namespace: str) -> Kubectl:
    cluster.kubectl.run("create", "serviceaccount", "clerk", "--namespace", namespace)
    return Kubectl(cluster.kubeconfig_for(namespace, "clerk"), cluster.state_dir / "kubectl-cache")


def fetch(registry: Registry, path: str, host: str) -> bytes:
    context = ssl.create_default_context(cafile=str(registry.authority_file))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    with opener.open(f"https://{host}:{registry.port}/v2/{path}", timeout=10) as response:
        body: bytes = response.read()
    return body


@contextmanager
def an_owner() -> Iterator[tuple[subprocess.Popen[bytes], Path, list[int]]]:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, env=environment)
    assert owner.stdout is not None
    with owner.stdout:
        folder, *pids = json.loads(owner.stdout.readline())
    try:
        yield owner, Path(folder), pids
    finally:
        owner.kill()
        owner.wait()


def test_cluster_runs_pods_until_a_deployment_is_available(kubectl: Kubectl, namespace: str) -> None:
    kubectl.apply(a_deployment(namespace))
    kubectl.run("wait", "--for=condition=Available", "--timeout=150s", "deployment/till", "--namespace", namespace)
    pods = kubectl.items("pods", namespace)
    assert [pod["status"]["phase"] for pod in pods] == ["Running", "Running"]


def test_cluster_refuses_an_account_without_rights(cluster: Cluster, namespace: str) -> None:
    refused = an_account(cluster, namespace).attempt("get", "secrets", "--namespace", namespace)
    user = f"system:serviceaccount:{namespace}:clerk"
    assert refused.stderr.decode().strip() == (
        f'Error from server (Forbidden): secrets is forbidden: User "{user}" cannot list resource "secrets" '
        f'in API group "" in the namespace "{namespace}"'
    )


def test_cluster_knows_an_account_by_its_token(cluster: Cluster, namespace: str) -> None:
    account = an_account(cluster, namespace)
    assert account.run("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}") == (
        f"system:serviceaccount:{namespace}:clerk"
    )


def test_cluster_allows_an_account_what_a_role_grants(cluster: Cluster, namespace: str) -> None:
    account = an_account(cluster, namespace)
    scope = ["--namespace", namespace]
    cluster.kubectl.run("create", "role", "reader", "--verb=list", "--resource=secrets", *scope)
    cluster.kubectl.run("create", "rolebinding", "b", "--role=reader", f"--serviceaccount={namespace}:clerk", *scope)
    granted = lambda: not account.attempt("get", "secrets", *scope).returncode  # noqa: E731
    assert wait_for(granted, "the role to count", timeout_s=10)


def test_cluster_collects_what_a_deleted_owner_leaves(kubectl: Kubectl, namespace: str) -> None:
    kubectl.apply(a_config_map(namespace, "owner"))
    owner = kubectl.get("configmap", "owner", namespace)
    assert owner is not None
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
    kubectl.apply(a_config_map(namespace, "owned", ownerReferences=[reference]))
    kubectl.delete("configmap", "owner", namespace)
    gone = lambda: kubectl.get("configmap", "owned", namespace) is None  # noqa: E731
    assert wait_for(gone, "the owned object to go", timeout_s=20)


def test_audit_log_counts_the_requests_of_one_user(own_cluster: Cluster, namespace: str) -> None:
    cluster = own_cluster
    account = an_account(cluster, namespace)
    account.attempt("get", "--raw", "/api/v1/nodes")
    mark = cluster.audit.position()
    for _ in range(3):
        account.attempt("get", "--raw", f"/api/v1/namespaces/{namespace}/configmaps")
    user = f"system:serviceaccount:{namespace}:clerk"
    wait_for(lambda: len(cluster.audit.requests(user=user, since=mark)) >= 3, "the audit log", timeout_s=10)
    counted = [(one.verb, one.code, one.is_write) for one in cluster.audit.requests(user=user, since=mark)]
    assert counted == [("list", 403, False)] * 3


def test_audit_log_names_the_impersonated_user(own_cluster: Cluster, namespace: str) -> None:
    cluster = own_cluster
    mark = cluster.audit.position()
    clerk = f"system:serviceaccount:{namespace}:clerk"
    cluster.kubectl.attempt("get", "--raw", "/api/v1/nodes", "--as", clerk)
    named = lambda: [one for one in cluster.audit.requests(user="admin", since=mark) if one.as_user == clerk]  # noqa: E731
    assert wait_for(named, "the audit log", timeout_s=10)[0].code == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_registry_gives_back_what_was_pushed(registry: Registry, host: str) -> None:
    image = catalog_image({"demo/catalog.yaml": b"schema: olm.package\n"})
    ref = registry.push("catalogs/demo:v1", image)
    assert ref == f"{registry.host}/catalogs/demo@{image.digest}"
    assert fetch(registry, "catalogs/demo/manifests/v1", host) == image.manifest
    layer = json.loads(image.manifest)["layers"][0]["digest"]
    assert fetch(registry, f"catalogs/demo/blobs/{layer}", host) == image.blobs[1]


def test_registry_takes_an_index_with_its_images(registry: Registry) -> None:
    images = [image_of({"a": b"1"}, architecture=name) for name in ("amd64", "arm64")]
    index = index_of(images)
    registry.push("multi:v1", index)
    assert fetch(registry, "multi/manifests/v1", "localhost") == index.manifest
    assert fetch(registry, f"multi/manifests/{images[1].digest}", "localhost") == images[1].manifest


def test_registry_keeps_its_images_while_it_is_away(registry: Registry) -> None:
    image = image_of({"a": b"away"})
    registry.push("away:v1", image)
    with registry.away(), pytest.raises(OSError, match="refused"):
        fetch(registry, "away/manifests/v1", "localhost")
    assert fetch(registry, "away/manifests/v1", "localhost") == image.manifest


def test_registry_takes_a_large_image(registry: Registry) -> None:
    image = image_of({"big": os.urandom(1 << 20) * 48}, compression="none")
    registry.push("big:v1", image)
    layer = json.loads(image.manifest)["layers"][0]["digest"]
    assert fetch(registry, f"big/blobs/{layer}", "127.0.0.1") == image.blobs[1]


def test_two_clusters_run_at_once_and_know_nothing_of_each_other(
    cluster: Cluster, namespace: str, new_cluster: Callable[[], Cluster]
) -> None:
    other = new_cluster()
    assert other.registry.port != cluster.registry.port
    assert other.kubectl.get("namespace", namespace) is None
    assert cluster.kubectl.get("namespace", namespace) is not None


def test_cluster_is_ready_in_seconds(new_cluster: Callable[[], Cluster]) -> None:
    begun = time.monotonic()
    new_cluster()
    assert time.monotonic() - begun < 20  # three on an idle machine with two cores; this one may be busy


def test_cluster_leaves_nothing_when_it_stops(new_cluster: Callable[[], Cluster]) -> None:
    stopped = new_cluster()
    pids = [stopped.workspace.guard.pid, *(process.pid for process in stopped.processes)]
    stopped.stop()
    assert ([pid for pid in pids if is_alive(pid)], stopped.state_dir.exists()) == ([], False)


def test_cluster_leaves_nothing_when_its_owner_is_killed() -> None:
    with an_owner() as (owner, folder, pids):
        assert all(is_alive(pid) for pid in pids)
        owner.send_signal(signal.SIGKILL)
        wait_for(lambda: not any(is_alive(pid) for pid in pids), "every program to end", timeout_s=10)
        wait_for(lambda: not folder.exists(), "the folder to go", timeout_s=10)


def test_cluster_names_the_program_that_did_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "assets" / "etcd"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho the disk is on fire\nexit 4\n")
    broken.chmod(0o755)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(broken.parent))
    with pytest.raises(DevClusterError) as caught:
        Cluster.start(tmp_path / "state")
    log = tmp_path / "state" / "logs" / "etcd.log"
    expected = f"etcd ended with code 4 while waiting for etcd to listen\n--- end of {log} ---\nthe disk is on fire"
    assert str(caught.value) == expected


def test_existing_cluster_stays_when_it_is_left(cluster: Cluster, namespace: str) -> None:
    with Cluster.existing(cluster.kubeconfig) as same:
        assert same.kubectl.get("namespace", namespace) is not None
        assert same.registry.push("x:v1", image_of({"a": b"1"})).startswith(same.registry.host)
        with pytest.raises(DevClusterError, match=r"^this needs a control plane that was started here"):
            _ = same.audit
    assert cluster.kubectl.get("namespace", namespace) is not None


def test_install_olm_makes_garbage_collection_know_the_kinds_at_once(olm: Cluster, namespace: str) -> None:
    source = {"type": "Image", "image": {"ref": f"example.com/{namespace}:v1"}}
    catalog = {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog"}
    olm.kubectl.apply(catalog | {"metadata": {"name": namespace}, "spec": {"source": source}})
    owner = olm.kubectl.get("clustercatalog", namespace)
    assert owner is not None
    reference = {**catalog, "name": namespace, "uid": owner["metadata"]["uid"]}
    olm.kubectl.apply(a_config_map(namespace, "owned", ownerReferences=[reference]))
    olm.kubectl.delete("clustercatalog", namespace)
    gone = lambda: olm.kubectl.get("configmap", "owned", namespace) is None  # noqa: E731
    assert wait_for(gone, "the owned object to go", timeout_s=10 if olm.is_own else 60)


def test_install_olm_serves_the_three_kinds(olm: Cluster) -> None:
    served = olm.kubectl.run("api-resources", "--api-group=olm.operatorframework.io", "--no-headers", "-o", "name")
    assert sorted(line.partition(".")[0] for line in served.split()) == [
        "clustercatalogs",
        "clusterextensions",
        "clusterobjectsets",
    ]


def test_objects_are_read_as_kubectl_shows_them(cluster: Cluster, kubectl: Kubectl, namespace: str) -> None:
    kubectl.apply(a_deployment(namespace), a_config_map(namespace, "till", labels={"shop": "1"}))
    command = Kubectl(cluster.kubeconfig, cluster.state_dir / "kubectl-cache")  # without a reader of its own
    for resource in ("configmap", "cm", "configmaps"):
        shown = command.get(resource, "till", namespace)
        assert shown is not None
        assert kubectl.get(resource, "till", namespace) == shown
    assert kubectl.get("ns", namespace) == command.get("ns", namespace)
    assert kubectl.get("deployments.apps", "other", namespace) is None
    for selector in ("shop", "shop=1", "shop!=1"):
        asked = ("configmaps,serviceaccounts", namespace)
        assert kubectl.items(*asked, selector=selector) == command.items(*asked, selector=selector)
    found = kubectl.items("clusterroles")
    assert found == command.items("clusterroles")
    assert {item["kind"] for item in found} == {"ClusterRole"}


def test_kind_that_is_not_served_is_an_error(kubectl: Kubectl) -> None:
    with pytest.raises(DevClusterError, match="the server doesn't have a resource type"):
        kubectl.items("nonsense")
