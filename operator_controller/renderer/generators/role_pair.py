"""A role and the binding that gives it to the service account of a permission."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from olmv1.manifests import Manifest
from operator_controller.bundle import Permission
from operator_controller.renderer.names import service_account_name

__all__ = ["RolePair", "pair_of"]

_GROUP = "rbac.authorization.k8s.io"


@dataclass(frozen=True, slots=True)
class RolePair:
    """Kind of the role (`Role` or `ClusterRole`), the name of both objects, and their namespace or empty."""

    kind: str
    name: str
    namespace: str = ""


def pair_of(permission: Permission, pair: RolePair, account_namespace: str) -> Iterator[Manifest]:
    """The role with the rules of `permission`, then its binding to the account in `account_namespace`.

    Rule: bundle-rendering.md 10.3, 10.4.
    """
    metadata = {"name": pair.name} | ({"namespace": pair.namespace} if pair.namespace else {})
    api_version = f"{_GROUP}/v1"
    yield {
        "kind": pair.kind,
        "apiVersion": api_version,
        "metadata": metadata,
        "rules": None if permission.rules is None else list(permission.rules),
    }
    account = {
        "kind": "ServiceAccount",
        "name": service_account_name(permission),
        "namespace": account_namespace,
    }
    yield {
        "kind": f"{pair.kind}Binding",
        "apiVersion": api_version,
        "metadata": metadata,
        "subjects": [account],
        "roleRef": {"apiGroup": _GROUP, "kind": pair.kind, "name": pair.name},
    }
