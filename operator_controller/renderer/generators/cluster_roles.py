"""ClusterRoles and ClusterRoleBindings, also for the namespaced permissions of a cluster-wide operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.bundle import Permission
from operator_controller.renderer.generators.role_pair import RolePair, pair_of
from operator_controller.renderer.names import rbac_name
from operator_controller.renderer.options import Rendering

__all__ = ["cluster_roles"]

# What a namespaced permission could see anyway becomes explicit when it is lifted to the whole cluster.
_NAMESPACE_RULE: Mapping[str, Any] = {
    "verbs": ["get", "list", "watch"],
    "apiGroups": [""],
    "resources": ["namespaces"],
}


def cluster_roles(rendering: Rendering) -> Iterator[Manifest]:
    """A ClusterRole and its binding per cluster permission, then per lifted permission when cluster-wide.

    Rule: bundle-rendering.md 10.4.
    """
    bundle = rendering.bundle
    lifted = [_lifted(permission) for permission in bundle.permissions] if rendering.is_cluster_wide else []
    for permission in (*bundle.cluster_permissions, *lifted):
        # The hash in the name is over the permission with the extra rule.
        pair = RolePair("ClusterRole", rbac_name(bundle.csv_name, permission))
        yield from pair_of(permission, pair, rendering.install_namespace)


def _lifted(permission: Permission) -> Permission:
    return replace(permission, rules=(*(permission.rules or ()), _NAMESPACE_RULE))
