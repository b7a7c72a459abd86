"""Roles and RoleBindings in the target namespaces, for operators that do not watch the whole cluster."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.renderer.generators.role_pair import RolePair, pair_of
from operator_controller.renderer.names import rbac_name
from operator_controller.renderer.options import Rendering

__all__ = ["roles"]


def roles(rendering: Rendering) -> Iterator[Manifest]:
    """A Role and its RoleBinding per target namespace and permission, in that order; none when cluster-wide.

    Rule: bundle-rendering.md 10.3.
    """
    if rendering.is_cluster_wide:
        return
    for namespace in rendering.target_namespaces:
        for permission in rendering.bundle.permissions:
            name = rbac_name(rendering.bundle.csv_name, permission)
            yield from pair_of(permission, RolePair("Role", name, namespace), rendering.install_namespace)
