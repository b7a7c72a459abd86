"""The `olm` command as a process against a running OLM: what it says is what the cluster does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.images import catalog_image
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import PREFIX, Operator, bundle_of, running_world
from tests.olm_command import LIGHTS, Said, olm_process

VIEWER = "operator-controller-clusterextension-viewer-role"


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture(scope="module")
def operator(world: World) -> Iterator[Operator]:
    """An operator in versions 1.0.0 and 1.1.0, not installed."""
    made = Operator(world, "olm-lamp").prepare()
    made.publish({version: bundle_of(made.name, version) for version in ("1.0.0", "1.1.0")})
    yield made
    made.forget()


def asked(cluster: Cluster, *arguments: str) -> Said:
    """The command as the administrator, who trusts what the cluster signed."""
    return olm_process(*arguments, env={"KUBECONFIG": str(cluster.kubeconfig)})


def retrying(cluster: Cluster, name: str) -> str | None:
    """The message of an extension that is refused; `None` until it is."""
    status = (cluster.kubectl.get("clusterextension", name) or {}).get("status") or {}
    conditions = status.get("conditions") or ()
    return next((item["message"] for item in conditions if item["reason"] == "Retrying"), None)


def about_catalogs(cluster: Cluster, *arguments: str) -> Said:
    return asked(cluster, *arguments, "--catalogd-cas-dir", str(cluster.authority_dir), "-o", "json")


def test_catalog_commands_read_what_catalogd_serves(olm: Cluster, operator: Operator) -> None:
    listed = about_catalogs(olm, "catalog", "show")
    assert operator.name in [document["package"] for document in listed.json]
    [versions] = about_catalogs(olm, "catalog", "versions", operator.name).json
    found = [(each["version"], each["channels"]) for each in versions["versions"]]
    replaces = f"{operator.name}.v1.0.0"
    assert found == [("1.1.0", [{"name": "stable", "replaces": replaces}]), ("1.0.0", [{"name": "stable"}])]


def test_resolve_says_what_the_controller_does(olm: Cluster, operator: Operator) -> None:
    said = about_catalogs(olm, "resolve", "-p", operator.name, "--version", "<1.1")
    operator.install(version="<1.1")
    installed = operator.wait_installed("1.0.0")
    operator.delete()
    assert said.code == 0
    assert {key: said.json[key] for key in ("catalog", "version", "release")} == {
        "catalog": installed["status"]["install"]["catalog"],
        "version": installed["status"]["install"]["bundle"]["version"],
        "release": None,
    }


def test_resolve_refuses_in_the_words_of_the_condition(olm: Cluster, operator: Operator) -> None:
    operator.install(version="9.9")
    message = wait_for(lambda: retrying(olm, operator.name), "the extension to be refused")
    said = about_catalogs(olm, "resolve", "-p", operator.name, "--version", "9.9")
    assert (said.code, said.json) == (1, {"error": message, "reason": "Retrying"})
    status = asked(olm, "status", operator.name)
    operator.delete()
    assert status.code == 1
    assert re.search(rf"\nProgressing +True +Retrying +{re.escape(said.json['error'])}\n", status.out)


def test_status_follows_an_extension(olm: Cluster, operator: Operator) -> None:
    operator.install(channels=["stable"])
    operator.wait_installed("1.1.0")
    said = asked(olm, "status")
    operator.delete()
    row = next(line.split("   ") for line in said.out.splitlines() if line.startswith(operator.name))
    found = [cell.strip() for cell in row if cell]
    assert found == [operator.name, "1.1.0", f"{operator.name} in stable", operator.name, "True", "True", "True"]
    assert (said.code, said.err) == (0, "")


def test_status_needs_the_rights_of_a_viewer_only(olm: Cluster, operator: Operator, namespace: str) -> None:
    olm.kubectl.run("create", "serviceaccount", "reader", "--namespace", namespace)
    kubeconfig = str(olm.kubeconfig_for(namespace, "reader"))
    user = f"system:serviceaccount:{namespace}:reader"
    refused = (
        f'clusterextensions.{PREFIX} is forbidden: User "{user}" cannot list resource "clusterextensions" '
        f'in API group "{PREFIX}" at the cluster scope'
    )
    error = f"cannot list clusterextensions: {refused}; ask for the ClusterRole {VIEWER}"
    assert olm_process("status", "--kubeconfig", kubeconfig) == Said(3, "", f"error: {error}\n")
    binding = ["--clusterrole", VIEWER, "--serviceaccount", f"{namespace}:reader"]
    olm.kubectl.run("create", "clusterrolebinding", namespace, *binding)
    said = olm_process("status", "--kubeconfig", kubeconfig, "-o", "json")
    olm.kubectl.delete("clusterrolebinding", namespace)
    assert (said.code, said.json) == (0, [])


def test_catalog_without_its_certificate_says_how_to_trust_it(olm: Cluster, operator: Operator) -> None:
    said = asked(olm, "catalog", "show", operator.name)
    assert (said.code, said.out) == (3, "")
    assert said.err.endswith("; name its CA with --catalogd-cas-dir\n")


def test_catalog_image_is_pulled_from_its_registry(olm: Cluster) -> None:
    ref = olm.registry.push("olm/lights:v2", catalog_image({"index.json": a_catalog()}))
    image = ["--catalog", f"lights={ref}", "--pull-cas-dir", str(olm.authority_dir)]
    said = olm_process("resolve", "-p", "lamp", *image, "-o", "json")
    assert (said.code, said.json["bundle"], said.json["catalog"]) == (0, "lamp.v1.0.0", "lights")
    tied = olm_process("resolve", "-p", "lamp", *image, "--catalog", LIGHTS, "-o", "json")
    assert tied.json["catalog"] == "lights"


def a_catalog() -> bytes:
    blobs = [
        {"schema": "olm.package", "name": "lamp", "defaultChannel": "stable"},
        {"schema": "olm.channel", "package": "lamp", "name": "stable", "entries": [{"name": "lamp.v1.0.0"}]},
        {
            "schema": "olm.bundle",
            "package": "lamp",
            "name": "lamp.v1.0.0",
            "image": "registry.example/lamp:v1",
            "properties": [{"type": "olm.package", "value": {"packageName": "lamp", "version": "1.0.0"}}],
        },
    ]
    return "\n".join(json.dumps(blob) for blob in blobs).encode()
