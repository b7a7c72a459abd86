"""Made-up RBAC objects for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RBAC = "rbac.authorization.k8s.io"


def a_rule(resources: str, verbs: str, *names: str, group: str = "") -> dict[str, Any]:
    """A policy rule; resources and verbs are separated by blanks."""
    rule = {"apiGroups": [group], "resources": resources.split(), "verbs": verbs.split()}
    return {**rule, "resourceNames": list(names)} if names else rule


def a_url_rule(url: str, verbs: str = "get") -> dict[str, Any]:
    """A policy rule on a URL."""
    return {"nonResourceURLs": [url], "verbs": verbs.split()}


def a_role(name: str, *rules: Mapping[str, Any], namespace: str = "", **members: Any) -> dict[str, Any]:
    """A Role in a namespace, else a ClusterRole."""
    labels = members.pop("labels", None)
    metadata = _metadata(name, namespace) | ({"labels": labels} if labels else {})
    kind = "Role" if namespace else "ClusterRole"
    return {"apiVersion": f"{RBAC}/v1", "kind": kind, "metadata": metadata, "rules": list(rules), **members}


def a_binding(role: str, *subjects: Mapping[str, Any], namespace: str = "", kind: str = "") -> dict[str, Any]:
    """A binding of the role `role`, of a kind like its own unless `kind` says another."""
    prefix = "" if namespace else "Cluster"
    ref = {"apiGroup": RBAC, "kind": kind or f"{prefix}Role", "name": role}
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": f"{prefix}RoleBinding",
        "metadata": _metadata(f"{role}-binding", namespace),
        "roleRef": ref,
        "subjects": list(subjects),
    }


def an_account(name: str = "installer", namespace: str | None = "shop") -> dict[str, Any]:
    """A service account as a subject."""
    return {"kind": "ServiceAccount", "name": name, **({"namespace": namespace} if namespace else {})}


def an_object(kind: str, name: str = "till", namespace: str = "shop", api_version: str = "v1") -> dict[str, Any]:
    """An object without content; a namespace of `""` is none."""
    return {"apiVersion": api_version, "kind": kind, "metadata": _metadata(name, namespace)}


def _metadata(name: str, namespace: str) -> dict[str, Any]:
    return {"name": name, **({"namespace": namespace} if namespace else {})}
