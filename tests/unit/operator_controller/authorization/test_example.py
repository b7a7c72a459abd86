"""The example of the specification (rbac.md 5.3), with the rights that our engine uses."""

from __future__ import annotations

from typing import Any

import pytest

from operator_controller.authorization import (
    Account,
    Grants,
    Installer,
    KindMap,
    RbacSnapshot,
    installer_documents,
    needs_of,
    wanted_rights,
)
from operator_controller.bundle import parse_bundle
from operator_controller.renderer import RenderOptions, render
from tests.bundles import PACKAGE_KEY, a_crd, a_deployment_spec
from tests.rbac import RBAC, a_role, a_rule, a_url_rule

ACCOUNT = "kiosk-controller"
CLUSTER = "kiosk-operator.v1.-2sk9zai9ed8xr290zl4fmnkm425leezorentwncbctso"
PROMOTED = "kiosk-operator.v1.-1ypfawxfsxcc8aq98m2u5xhw54lak6yj8f9ux711dob3"
WRITE = "create delete patch"


def kiosk() -> dict[str, bytes]:
    own = a_rule("kiosks kiosks/status kiosks/finalizers", "*", group="shop.example.com")
    leases = a_rule("leases", "create get update", group="coordination.k8s.io")
    install = {
        "deployments": [{"name": ACCOUNT, "spec": a_deployment_spec(serviceAccountName=ACCOUNT)}],
        "clusterPermissions": [{"serviceAccountName": ACCOUNT, "rules": [own, a_rule("nodes", "get list")]}],
        "permissions": [{"serviceAccountName": ACCOUNT, "rules": [leases]}],
    }
    owned = {"owned": [{"name": "kiosks.shop.example.com", "kind": "Kiosk", "version": "v1"}]}
    csv = {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {"name": "kiosk-operator.v1.2.0"},
        "spec": {
            "version": "1.2.0",
            "installModes": [{"type": "AllNamespaces", "supported": True}],
            "install": {"strategy": "deployment", "spec": install},
            "customresourcedefinitions": owned,
        },
    }
    crd = a_crd("kiosks", group="shop.example.com") | {"metadata": {"name": "kiosks.shop.example.com"}}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "kiosk-metrics"}, "spec": {}}
    reader = a_role("kiosk-metrics-reader", a_url_rule("/metrics"))
    annotations = {"annotations": {PACKAGE_KEY: "kiosk"}}
    manifests = {"csv": csv, "crd": crd, "service": service, "reader": reader}
    files = {f"manifests/{name}.yaml": str(manifest).encode() for name, manifest in manifests.items()}
    return {**files, "metadata/annotations.yaml": str(annotations).encode()}


@pytest.fixture
def documents(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What is written for the example, by kind."""
    objects = render(parse_bundle(kiosk()), RenderOptions("kiosk-system"))
    needs = needs_of(objects, KindMap(), RbacSnapshot())
    installer = Installer("kiosk", Account("kiosk-system", "kiosk-installer"))
    found = installer_documents(installer, wanted_rights([("1.2.0", needs)], request.param))
    return {each.manifest["kind"]: each.manifest for each in found}


@pytest.mark.parametrize("documents", [Grants.HOLD], indirect=True)
def test_example_holds_what_it_grants(documents: dict[str, Any]) -> None:
    assert documents["ClusterRole"]["rules"] == [
        a_rule("namespaces", "get list watch"),
        a_rule("nodes", "get list"),
        a_rule("customresourcedefinitions", WRITE, "kiosks.shop.example.com", group="apiextensions.k8s.io"),
        a_rule("leases", "create get update", group="coordination.k8s.io"),
        a_rule("clusterrolebindings", WRITE, PROMOTED, CLUSTER, group=RBAC),
        a_rule("clusterroles", WRITE, "kiosk-metrics-reader", PROMOTED, CLUSTER, group=RBAC),
        a_rule("kiosks kiosks/finalizers kiosks/status", "*", group="shop.example.com"),
        a_url_rule("/metrics"),
    ]
    assert documents["Role"]["rules"] == [
        a_rule("serviceaccounts", WRITE, ACCOUNT),
        a_rule("services", WRITE, "kiosk-metrics"),
        a_rule("deployments", WRITE, ACCOUNT, group="apps"),
    ]


@pytest.mark.parametrize("documents", [Grants.ESCALATE], indirect=True)
def test_example_escalates_by_name(documents: dict[str, Any]) -> None:
    assert documents["ClusterRole"]["rules"] == [
        a_rule("customresourcedefinitions", WRITE, "kiosks.shop.example.com", group="apiextensions.k8s.io"),
        a_rule("clusterrolebindings", WRITE, PROMOTED, CLUSTER, group=RBAC),
        a_rule("clusterroles", "escalate", "kiosk-metrics-reader", group=RBAC),
        a_rule("clusterroles", WRITE, "kiosk-metrics-reader", PROMOTED, CLUSTER, group=RBAC),
        a_rule("clusterroles", "bind escalate", PROMOTED, CLUSTER, group=RBAC),
    ]
