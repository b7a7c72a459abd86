from __future__ import annotations

from typing import Any

import pytest

from olmv1.manifests import name_of
from operator_controller.bundle import Permission
from operator_controller.renderer.extras.operator_condition import operator_condition_roles, uses_operator_conditions
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment


@pytest.mark.parametrize(
    ("rules", "uses"),
    [
        (({"apiGroups": ["operators.coreos.com"], "resources": ["operatorconditions"]},), True),
        (({}, {"apiGroups": ["", "operators.coreos.com"], "resources": ["a", "operatorconditions/status"]}), True),
        (({"apiGroups": ["operators.coreos.com"], "resources": ["subscriptions"]},), False),
        (({"apiGroups": ["apps"], "resources": ["operatorconditions"]},), False),
        (None, False),
    ],
)
def test_uses_operator_conditions_looks_at_the_rights_of_the_operator(rules: Any, uses: bool) -> None:
    assert uses_operator_conditions(a_bundle(permissions=(Permission("sa", rules),))) is uses
    assert uses_operator_conditions(a_bundle(cluster_permissions=(Permission("sa", rules),))) is uses


def test_operator_condition_roles_let_every_account_write_one_object() -> None:
    deployments = (a_deployment("a", serviceAccountName="sa"), a_deployment("b"), a_deployment("c"))
    rendering = Rendering(a_bundle(deployments=deployments), "ns", ("",), has_operator_condition=True)
    role, binding, *others = operator_condition_roles(rendering)
    assert role["metadata"] == {"name": "op.v1.0.0-default-operator-condition", "namespace": "ns"}
    assert role["rules"] == [
        {
            "verbs": ["get", "update", "patch"],
            "apiGroups": ["operators.coreos.com"],
            "resources": ["operatorconditions", "operatorconditions/status"],
            "resourceNames": ["op.v1.0.0"],
        }
    ]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "default", "namespace": "ns"}]
    assert [name_of(each) for each in others] == ["op.v1.0.0-sa-operator-condition"] * 2


def test_operator_condition_roles_are_not_rendered_unasked() -> None:
    assert list(operator_condition_roles(Rendering(a_bundle(deployments=(a_deployment(),)), "ns", ("",)))) == []
