"""Every object that the chart can make is taken by the API server, and the committed manifests are what it makes."""

from __future__ import annotations

import json
import subprocess

import pytest
import yaml

from devcluster.binaries import ensure
from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from tests.our_chart import EVERYTHING
from tools.chart.copies import CHART, PROJECT
from tools.chart.rendering import manifests, rendered

# kinds of others, which the control plane here does not know
FOREIGN = {"Certificate", "Issuer", "PrometheusRule", "ServiceMonitor"}


@pytest.fixture(scope="module")
def helm() -> str:
    return str(ensure(["helm"]).path("helm"))


def test_manifests_are_what_the_chart_makes(helm: str) -> None:
    assert (PROJECT / "config" / "manifests.yaml").read_text() == manifests(helm), "make manifests"


def test_manifests_are_applied_in_one_go(olm: Cluster) -> None:
    path = PROJECT / "config" / "manifests.yaml"
    olm.kubectl.run("apply", "--server-side", "--force-conflicts", "--dry-run=server", "--filename", str(path))


@pytest.mark.parametrize("provider", ["own", "cert-manager", "service-ca", "files"])
def test_every_object_is_taken_by_the_api_server(helm: str, olm: Cluster, provider: str) -> None:
    olm.ensure_namespace("logins")
    values = {**EVERYTHING, "certificates": {"provider": provider}}
    text = rendered(helm, {name: json.dumps(value) for name, value in values.items()})
    objects = [each for each in yaml.safe_load_all(text) if each and each["kind"] not in FOREIGN]
    listed = {"apiVersion": "v1", "kind": "List", "items": objects}
    options = ("--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict", "--filename", "-")
    said = olm.kubectl.run("apply", *options, stdin=json.dumps(listed).encode())
    assert len(said.splitlines()) == len(objects)


@pytest.mark.parametrize("component", ["catalogd", "operator-controller"])
def test_pods_are_admitted_under_the_restricted_profile(helm: str, olm: Cluster, component: str) -> None:
    text = rendered(helm, {name: json.dumps(value) for name, value in EVERYTHING.items()})
    name = f"{component}-controller-manager"
    deployment = next(
        each for each in yaml.safe_load_all(text) if each["kind"] == "Deployment" and each["metadata"]["name"] == name
    )
    pod = {**deployment["spec"]["template"], "apiVersion": "v1", "kind": "Pod"}
    pod["metadata"] |= {"name": name, "namespace": SYSTEM_NAMESPACE}
    options = ("--dry-run=server", "--filename", "-")
    assert olm.kubectl.run("create", *options, stdin=json.dumps(pod).encode()).startswith(f"pod/{name} created")
    pod["spec"]["containers"][0]["securityContext"]["readOnlyRootFilesystem"] = False
    pod["spec"]["containers"][0]["securityContext"]["allowPrivilegeEscalation"] = True
    refused = olm.kubectl.attempt("create", *options, stdin=json.dumps(pod).encode())
    assert b'violates PodSecurity "restricted:latest"' in refused.stderr


def test_helm_finds_nothing_to_complain_of(helm: str) -> None:
    done = subprocess.run([helm, "lint", "--strict", str(CHART)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "[WARNING]" not in done.stdout
