from __future__ import annotations

from olmv1.manifests import key_of
from operator_controller.renderer.generators.roles import roles
from operator_controller.renderer.names import rbac_name
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_permission


def test_roles_are_made_per_target_namespace_and_permission() -> None:
    first, second = a_permission("a"), a_permission("b")
    bundle = a_bundle(permissions=(first, second), cluster_permissions=(a_permission("c"),))
    rendered = roles(Rendering(bundle, "ns", ("x", "y")))
    names = [rbac_name("op.v1.0.0", permission) for permission in (first, second)]
    assert [(key.kind, key.namespace, key.name) for key in map(key_of, rendered)] == [
        (kind, namespace, name) for namespace in "xy" for name in names for kind in ("Role", "RoleBinding")
    ]


def test_roles_are_not_made_for_all_namespaces() -> None:
    assert list(roles(Rendering(a_bundle(permissions=(a_permission(),)), "ns", ("",)))) == []
