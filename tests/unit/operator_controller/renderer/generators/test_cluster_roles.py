from __future__ import annotations

from operator_controller.bundle import Permission
from operator_controller.renderer.generators.cluster_roles import cluster_roles
from operator_controller.renderer.names import rbac_name
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_permission

_NAMESPACES = {"verbs": ["get", "list", "watch"], "apiGroups": [""], "resources": ["namespaces"]}


def test_cluster_roles_lift_permissions_with_one_more_rule_when_cluster_wide() -> None:
    bundle = a_bundle(permissions=(Permission("a", None),), cluster_permissions=(a_permission("b"),))
    rendered = list(cluster_roles(Rendering(bundle, "ns", ("",))))
    lifted = Permission("a", (_NAMESPACES,))
    names = [rbac_name("op.v1.0.0", permission) for permission in (a_permission("b"), lifted)]
    assert [manifest["metadata"]["name"] for manifest in rendered] == [names[0]] * 2 + [names[1]] * 2
    assert rendered[2]["rules"] == [_NAMESPACES]


def test_cluster_roles_hold_only_cluster_permissions_otherwise() -> None:
    bundle = a_bundle(permissions=(a_permission("a"),), cluster_permissions=(a_permission("b"),))
    rendered = cluster_roles(Rendering(bundle, "ns", ("ns",)))
    assert [manifest["kind"] for manifest in rendered] == ["ClusterRole", "ClusterRoleBinding"]
