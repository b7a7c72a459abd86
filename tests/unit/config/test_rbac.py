"""The rights in `config/rbac`: exactly the ones listed here, each with its reason, bound to who should have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.crds import PLURALS

FOLDER = Path(__file__).resolve().parents[3] / "config" / "rbac"
SYSTEM = "olmv1-system"
OLM = "olm.operatorframework.io"
METRICS = {"authentication.k8s.io/tokenreviews: create", "authorization.k8s.io/subjectaccessreviews: create"}
READ_ALL = {f"{OLM}/{plural}: get list watch" for plural in PLURALS}

# Role as [namespace/]name, and what it allows as group/resource[name]: verbs. A new right is a decision.
RIGHTS = {
    "catalogd-manager-role": {
        f"{OLM}/clustercatalogs: get list patch watch",
        f"{OLM}/clustercatalogs/status: patch update",
    },
    f"{SYSTEM}/catalogd-manager-role": {
        "/secrets: get list watch",
        "/secrets[catalogd-serving]: create patch",
        "/serviceaccounts: get list watch",
    },
    f"{SYSTEM}/catalogd-leader-election-role": {
        "coordination.k8s.io/leases: create",
        "coordination.k8s.io/leases[catalogd-operator-lock]: get update",
    },
    "default/catalogd-events-role": {"events.k8s.io/events: create patch"},
    "catalogd-proxy-role": METRICS,
    "catalogd-metrics-reader": {"/metrics: get"},
    "operator-controller-manager-role": {
        "*/*: get list watch",
        "/serviceaccounts: impersonate",
        f"{OLM}/clusterextensions: patch",
        f"{OLM}/clusterextensions/status: patch update",
        f"{OLM}/clusterextensions/finalizers: update",
        f"{OLM}/clusterobjectsets: create delete patch",
        f"{OLM}/clusterobjectsets/status: patch update",
        f"{OLM}/clusterobjectsets/finalizers: update",
        "config.openshift.io/clusteroperators: create patch",
        "config.openshift.io/clusteroperators/status[olm]: patch",
        "operator.openshift.io/olms/status[cluster]: patch",
    },
    f"{SYSTEM}/operator-controller-manager-role": {
        "/secrets: create delete get list patch watch",
        "/serviceaccounts: get list watch",
    },
    f"{SYSTEM}/operator-controller-leader-election-role": {
        "coordination.k8s.io/leases: create",
        "coordination.k8s.io/leases[9c4404e7.operatorframework.io]: get update",
    },
    "default/operator-controller-events-role": {"events.k8s.io/events: create patch"},
    "operator-controller-proxy-role": METRICS,
    "operator-controller-metrics-reader": {"/metrics: get"},
    "operator-controller-clusterextension-viewer-role": READ_ALL,
    "operator-controller-clusterextension-installer-role": {
        f"{OLM}/clusterextensions: create delete patch update",
        *(
            f"{OLM}/{plural}: get list watch"
            for plural in ("clustercatalogs", "clusterextensions", "clusterobjectsets")
        ),
    },
    "operator-controller-clustercatalog-admin-role": {
        f"{OLM}/clustercatalogs: create delete patch update",
        *(
            f"{OLM}/{plural}: get list watch"
            for plural in ("clustercatalogs", "clusterextensions", "clusterobjectsets")
        ),
    },
}
FOR_OTHERS = {role for role in RIGHTS if role.endswith("metrics-reader") or "-cluster" in role}


def manifests(*kinds: str) -> Iterator[dict[str, Any]]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            if document["kind"] in kinds:
                yield document


def full_name(manifest: dict[str, Any]) -> str:
    metadata = manifest["metadata"]
    return "/".join(part for part in (metadata.get("namespace"), metadata["name"]) if part)


def rights_of(role: dict[str, Any]) -> Iterator[str]:
    for rule in role["rules"]:
        verbs = " ".join(rule["verbs"])
        names = rule.get("resourceNames", [])
        suffix = f"[{','.join(names)}]" if names else ""
        yield from (f"{url}: {verbs}" for url in rule.get("nonResourceURLs", ()))
        for group in rule.get("apiGroups", ()):
            yield from (f"{group}/{resource}{suffix}: {verbs}" for resource in rule["resources"])


def test_roles_allow_exactly_what_is_listed() -> None:
    assert {full_name(role): set(rights_of(role)) for role in manifests("Role", "ClusterRole")} == RIGHTS


@pytest.mark.parametrize("path", sorted(FOLDER.glob("roles-*.yaml")), ids=lambda path: path.stem)
def test_every_rule_says_why(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    rules = [number for number, line in enumerate(lines) if line.startswith(("- apiGroups", "- nonResourceURLs"))]
    assert [f"{path.name}:{number + 1}" for number in rules if not explains(lines, number)] == []


def explains(lines: list[str], number: int) -> bool:
    """Whether a comment stands before the rule at `number`, or before the rules that it continues."""
    before = [line for line in reversed(lines[:number]) if not line.startswith(("  ", "- apiGroups"))]
    return before[0].startswith("# ")


def test_bindings_give_every_role_of_a_component_to_its_own_account() -> None:
    bound = {}
    for binding in manifests("RoleBinding", "ClusterRoleBinding"):
        namespace = binding["metadata"].get("namespace")
        role = binding["roleRef"]["name"]
        bound[f"{namespace}/{role}" if namespace else role] = binding["subjects"]
    assert bound == {role: [an_account(role)] for role in RIGHTS if role not in FOR_OTHERS}


def an_account(role: str) -> dict[str, str]:
    component = "catalogd" if "catalogd-" in role else "operator-controller"
    return {"kind": "ServiceAccount", "name": f"{component}-controller-manager", "namespace": SYSTEM}


def test_accounts_exist_in_a_restricted_namespace() -> None:
    (namespace,) = manifests("Namespace")
    assert namespace["metadata"]["name"] == SYSTEM
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert {full_name(account) for account in manifests("ServiceAccount")} == {
        f"{SYSTEM}/catalogd-controller-manager",
        f"{SYSTEM}/operator-controller-controller-manager",
    }


@pytest.mark.parametrize("kind", ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ServiceAccount"])
def test_manifests_are_labelled(kind: str) -> None:
    labels = [manifest["metadata"]["labels"] for manifest in manifests(kind)]
    assert {label["app.kubernetes.io/part-of"] for label in labels} == {"olm"}
    assert {label["app.kubernetes.io/name"] for label in labels} <= {"catalogd", "operator-controller"}
