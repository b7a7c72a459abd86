from __future__ import annotations

from operator_controller.bundle import Permission
from operator_controller.renderer.generators.role_pair import RolePair, pair_of
from tests.bundles import a_permission

_API = "rbac.authorization.k8s.io"


def test_pair_of_binds_a_role_to_the_account_of_the_install_namespace() -> None:
    role, binding = pair_of(a_permission("sa"), RolePair("Role", "n", "watched"), "ns")
    metadata = {"name": "n", "namespace": "watched"}
    rules = [{"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}]
    assert role == {"kind": "Role", "apiVersion": f"{_API}/v1", "metadata": metadata, "rules": rules}
    assert binding == {
        "kind": "RoleBinding",
        "apiVersion": f"{_API}/v1",
        "metadata": metadata,
        "subjects": [{"kind": "ServiceAccount", "name": "sa", "namespace": "ns"}],
        "roleRef": {"apiGroup": _API, "kind": "Role", "name": "n"},
    }


def test_pair_of_leaves_out_the_namespace_of_cluster_roles_and_keeps_absent_rules() -> None:
    role, binding = pair_of(Permission("", None), RolePair("ClusterRole", "n"), "ns")
    assert (role["metadata"], role["rules"]) == ({"name": "n"}, None)
    assert (binding["kind"], binding["subjects"][0]["name"]) == ("ClusterRoleBinding", "default")
