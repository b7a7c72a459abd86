"""`olm plan` where no bundle has to be pulled; the others are in tests/api/test_olm_plan.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from olmv1.api.names import ANNOTATION_PACKAGE_NAME
from operator_controller.revisions.desired import ANNOTATION_INPUTS, BundleIdentity, inputs_digest
from tests.answering_server import AnsweringServer, Reply
from tests.builders import a_condition, an_extension, an_object_set
from tests.olm_command import Said, a_blob, olm, write_catalog

API = "/apis/olm.operatorframework.io/v1"
RBAC = "/apis/rbac.authorization.k8s.io/v1"
IMAGE = "registry.example/lantern:lantern.v1.0.0"


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    """lantern 1.0.0 and nothing else."""
    name = "lantern.v1.0.0"
    channel = a_blob("olm.channel", "stable", "lantern", entries=[{"name": name}])
    package = {"schema": "olm.package", "name": "lantern", "defaultChannel": "stable"}
    return write_catalog(tmp_path / "lights", package, channel, a_blob("olm.bundle", name, "lantern"))


@pytest.fixture(autouse=True)
def world(server: AnsweringServer) -> None:
    """lantern 1.0.0 is installed."""
    bundle = BundleIdentity("lantern", "lantern.v1.0.0", "1.0.0", None, IMAGE)
    names = {"name": bundle.name, "version": bundle.version, "reference": bundle.image}
    annotations = {
        **{f"olm.operatorframework.io/bundle-{key}": value for key, value in names.items()},
        ANNOTATION_PACKAGE_NAME: "lantern",
        ANNOTATION_INPUTS: inputs_digest(bundle, "lantern-system", "installer", None, {}),
    }
    revision = an_object_set(annotations=annotations, conditions=[a_condition("Succeeded")])
    revision["metadata"]["labels"]["olm.operatorframework.io/owner-kind"] = "ClusterExtension"
    listed(server, f"{API}/clusterextensions", an_extension())
    listed(server, f"{API}/clusterobjectsets", revision)
    for kind in ("roles", "clusterroles", "rolebindings", "clusterrolebindings"):
        listed(server, f"{RBAC}/{kind}")
    nothing = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []}
    server.replies |= {path: Reply(nothing) for path in ("/api", "/apis")}
    server.replies["/version"] = Reply({"gitVersion": "v1.36.3"})


def listed(server: AnsweringServer, path: str, *items: dict[str, Any]) -> None:
    server.replies[path] = Reply({"metadata": {"resourceVersion": "1"}, "items": list(items)})


def planned(kubeconfig: str, catalog: str, *options: str) -> Said:
    return olm("plan", "lantern", "--kubeconfig", kubeconfig, "--catalog", catalog, *options)


def test_plan_says_when_there_is_nothing_to_do(kubeconfig: str, catalog: str) -> None:
    bundle = {"name": "lantern.v1.0.0", "version": "1.0.0", "release": None, "image": IMAGE}
    said = planned(kubeconfig, catalog, "-o", "json")
    assert (said.code, said.err) == (0, "")
    assert said.json == {
        "extension": "lantern",
        "state": "nothing to do",
        "policy": "Auto",
        "from": bundle,
        "to": bundle,
        "waiting": "",
        "obstacles": [],
        "imageChangedTo": None,
        "plan": None,
    }


def test_plan_tells_of_an_image_that_was_replaced(server: AnsweringServer, kubeconfig: str, tmp_path: Path) -> None:
    blobs = [
        {"schema": "olm.package", "name": "lantern", "defaultChannel": "stable"},
        a_blob("olm.channel", "stable", "lantern", entries=[{"name": "lantern.v1.0.0"}]),
        {**a_blob("olm.bundle", "lantern.v1.0.0", "lantern"), "image": "registry.example/lantern:other"},
    ]
    said = planned(kubeconfig, write_catalog(tmp_path / "new", *blobs))
    assert said == Said(
        0,
        "extension:   lantern\n"
        "installed:   lantern.v1.0.0 (1.0.0)\n"
        f"image:       {IMAGE}\n"
        "policy:      Auto\n"
        "\n"
        "lantern: nothing to do\n"
        "  the catalog names another image for this bundle now, registry.example/lantern:other: it is not taken unless "
        "you ask for it with the annotation requested-at\n",
    )


def test_plan_says_why_there_is_no_bundle(kubeconfig: str, catalog: str) -> None:
    text = (
        'error upgrading from currently installed version "1.0.0": no bundles found for package "lantern" '
        'matching version "2.x"'
    )
    assert planned(kubeconfig, catalog, "--version", "2.x") == Said(
        1, f"extension:   lantern\npolicy:      Auto\n\nlantern: blocked\n  {text}\n"
    )


def test_plan_cannot_tell_without_the_registry(kubeconfig: str, tmp_path: Path) -> None:
    blobs = [
        {"schema": "olm.package", "name": "lantern", "defaultChannel": "stable"},
        a_blob("olm.channel", "stable", "lantern", entries=[{"name": "lantern.v1.1.0", "replaces": "lantern.v1.0.0"}]),
        {**a_blob("olm.bundle", "lantern.v1.1.0", "lantern"), "image": "127.0.0.1:1/lantern:v1.1.0"},
    ]
    said = planned(kubeconfig, write_catalog(tmp_path / "new", *blobs))
    assert (said.code, said.out) == (3, "")
    assert "127.0.0.1:1" in said.err
