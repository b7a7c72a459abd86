"""The service proxy of a real API server: its paths and its refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from tests.api.operators import PREFIX, catalog
from tests.olm_command import Said, olm_process

NAME = "olm-inside"
SERVICE = "https:catalogd-service:443"


@pytest.fixture
def served(olm: Cluster, namespace: str) -> Iterator[str]:
    """The namespace of a catalogd that is not there, and a catalog that says it is served by it."""
    base = f"https://catalogd-service.{namespace}.svc/catalogs/{NAME}"
    condition = {
        "type": "Serving",
        "status": "True",
        "reason": "Available",
        "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    olm.kubectl.apply(catalog(NAME, "registry.example.com/x:v1"))
    patch = json.dumps({"status": {"urls": {"base": base}, "conditions": [condition]}})
    olm.kubectl.run("patch", "clustercatalog", NAME, "--subresource=status", "--type=merge", "-p", patch)
    yield namespace
    olm.kubectl.delete("clustercatalog", NAME)


def show(kubeconfig: str) -> Said:
    return olm_process("catalog", "show", "lamp", "--kubeconfig", kubeconfig)


def test_proxy_names_a_service_that_is_not_there(olm: Cluster, served: str) -> None:
    advice = "check that catalogd runs, or go around the API server with --catalogd-url"
    error = f'error retrieving cache for catalog "{NAME}": services "catalogd-service" not found; {advice}'
    assert show(str(olm.kubeconfig)) == Said(3, "", f"error: {error}\n")


def test_proxy_names_the_right_that_is_missing(olm: Cluster, served: str) -> None:
    olm.kubectl.run("create", "serviceaccount", "reader", "--namespace", served)
    role = "operator-controller-clusterextension-viewer-role"
    olm.kubectl.run(
        "create", "clusterrolebinding", served, f"--clusterrole={role}", f"--serviceaccount={served}:reader"
    )
    said = show(str(olm.kubeconfig_for(served, "reader")))
    olm.kubectl.delete("clusterrolebinding", served)
    user = f"system:serviceaccount:{served}:reader"
    refused = (
        f'services "{SERVICE}" is forbidden: User "{user}" cannot get resource "services/proxy" in API group "" '
        f'in the namespace "{served}"'
    )
    advice = "ask for get on services/proxy of catalogd, or go around the API server with --catalogd-url"
    error = f'error retrieving cache for catalog "{NAME}": {refused}; {advice}'
    assert (said.code, said.err, PREFIX in said.out) == (3, f"error: {error}\n", False)
