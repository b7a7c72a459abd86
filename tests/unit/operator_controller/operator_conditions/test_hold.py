from __future__ import annotations

from typing import Any

import pytest

from operator_controller.operator_conditions import hold_of

MIGRATES = "the operator is not upgradeable: The Operator is performing a migration."


def said(status: str, message: str = "The Operator is performing a migration.", **more: Any) -> list[dict[str, Any]]:
    return [{"type": "Other", "status": "False"}, {"type": "Upgradeable", "status": status, "message": message, **more}]


def a_condition(generation: int = 3, **parts: Any) -> dict[str, Any]:
    spec = {key: value for key, value in parts.items() if key in ("overrides", "conditions")}
    return {
        "metadata": {"name": "a.v1", "generation": generation},
        "spec": spec,
        "status": {"conditions": parts.get("status", [])},
    }


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        pytest.param(None, "", id="absent"),
        pytest.param({}, "", id="empty"),
        pytest.param(a_condition(), "", id="silent"),
        pytest.param(a_condition(conditions=said("False")), MIGRATES, id="v2 no"),
        pytest.param(a_condition(conditions=said("True")), "", id="v2 yes"),
        pytest.param(a_condition(conditions=said("Unknown")), "", id="v2 unknown"),
        pytest.param(a_condition(status=said("False", observedGeneration=3)), MIGRATES, id="v1 no"),
        pytest.param(a_condition(status=said("True", observedGeneration=3)), "", id="v1 yes"),
        pytest.param(
            a_condition(status=said("True", observedGeneration=2)),
            'the operatorcondition status "Upgradeable"="True" is outdated',
            id="v1 outdated",
        ),
        pytest.param(
            a_condition(status=said("False")),
            'the operatorcondition status "Upgradeable"="False" is outdated',
            id="v1 without generation",
        ),
        pytest.param(
            a_condition(conditions=said("True"), status=said("False", observedGeneration=2)), "", id="v2 before v1"
        ),
        pytest.param(a_condition(overrides=said("True"), conditions=said("False")), "", id="overridden to yes"),
        pytest.param(
            a_condition(overrides=said("False", "wait"), conditions=said("True")),
            "the operator is not upgradeable: wait",
            id="overridden to no",
        ),
        pytest.param(
            a_condition(overrides=said("True"), status=said("False", observedGeneration=1)), "", id="override of old"
        ),
        pytest.param(
            a_condition(conditions=said("False", "", reason="migration")),
            "the operator is not upgradeable: migration",
            id="reason only",
        ),
        pytest.param({"spec": {"overrides": "x", "conditions": [7]}, "status": 7}, "", id="of another form"),
    ],
)
def test_operator_is_held_by_what_it_says(condition: dict[str, Any] | None, text: str) -> None:
    assert hold_of(condition) == text
