"""What an operator needs to report through an OperatorCondition, as classic OLM gives it.

The object itself is made by whoever asked for this: it must outlive a rendering. Rule: decision 19.
"""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle, Permission
from operator_controller.renderer.generators.role_pair import RolePair, pair_of
from operator_controller.renderer.options import Rendering

__all__ = ["ENV_NAME", "operator_condition_roles", "uses_operator_conditions"]

ENV_NAME = "OPERATOR_CONDITION_NAME"
_GROUP = "operators.coreos.com"
_RESOURCE = "operatorconditions"


def uses_operator_conditions(bundle: Bundle) -> bool:
    """Whether the operator of `bundle` asks for rights on OperatorConditions."""
    permissions = (*bundle.permissions, *bundle.cluster_permissions)
    rules = (rule for permission in permissions for rule in permission.rules or ())
    return any(
        _GROUP in rule.get("apiGroups", ())
        and any(resource.partition("/")[0] == _RESOURCE for resource in rule.get("resources", ()))
        for rule in rules
    )


def operator_condition_roles(rendering: Rendering) -> Iterator[Manifest]:
    """The right to write the one OperatorCondition of the bundle, per account that its deployments run as."""
    if not rendering.has_operator_condition:
        return
    name = rendering.bundle.csv_name
    rule = {
        "verbs": ["get", "update", "patch"],
        "apiGroups": [_GROUP],
        "resources": [_RESOURCE, f"{_RESOURCE}/status"],
        "resourceNames": [name],
    }
    accounts = {
        str(entry.spec["template"]["spec"].get("serviceAccountName", "default"))
        for entry in rendering.bundle.deployments
    }
    for account in sorted(accounts):
        pair = RolePair("Role", f"{name}-{account}-operator-condition", rendering.install_namespace)
        yield from pair_of(Permission(account, (rule,)), pair, rendering.install_namespace)
