from __future__ import annotations

from operator_controller.bundle import Permission
from operator_controller.renderer.improvements.operator_conditions import operator_conditions
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle

_RULE = {"verbs": ["get"], "apiGroups": ["operators.coreos.com"], "resources": ["operatorconditions"]}
_USER = a_bundle(permissions=(Permission("sa", (_RULE,)),))


def test_operator_conditions_warns_of_an_operator_that_gets_none() -> None:
    text = 'bundle "op.v1.0.0" uses OperatorConditions, but gets none here: OPERATOR_CONDITION_NAME is not set'
    assert operator_conditions((), Rendering(_USER, "ns", ("",))).warnings == (text,)


def test_operator_conditions_is_silent_when_there_is_one_or_nobody_asks() -> None:
    for rendering in (Rendering(_USER, "ns", ("",), has_operator_condition=True), Rendering(a_bundle(), "ns", ("",))):
        assert operator_conditions((), rendering).warnings == ()
