from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety.validity import Fault, Validity
from tests.definitions import a_lamp, a_schema

KEYED = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}}},
}

OVER_3 = {"type": "integer", "minimum": 3, "exclusiveMinimum": True}


def faults(schema: Any, value: Any) -> list[Fault]:
    return Validity(a_schema(size=schema)).faults(a_lamp("desk", size=value))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        pytest.param({"type": "integer"}, 1, id="type"),
        pytest.param({"type": "string", "nullable": True}, None, id="nullable"),
        pytest.param({"x-kubernetes-int-or-string": True}, "50%", id="int or string"),
        pytest.param({"type": "string", "format": "duration"}, "5m", id="format that is not looked at"),
        pytest.param({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, {"a": 1}, id="unknown field"),
        pytest.param(KEYED, [{"name": "a"}, {"name": "b"}], id="keys"),
        pytest.param({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, 9, id="bound"),
    ],
)
def test_value_that_fits_has_no_fault(schema: Any, value: Any) -> None:
    assert faults(schema, value) == []


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "integer"}, "secret", 'the value is not of type "integer"'),
        ({"x-kubernetes-int-or-string": True}, [], 'the value is not of types "integer", "string"'),
        ({"type": "string", "enum": ["a", "b"]}, "secret", 'the value is not one of "a" or "b"'),
        ({"type": "string", "enum": ["a", None], "nullable": True}, None, 'the value is not one of "a"'),
        ({"type": "string", "pattern": "^a$"}, "secret", 'the value does not match "^a$"'),
        ({"type": "string", "format": "date-time"}, "now", 'the value is not a "date-time"'),
        (OVER_3, 3, "the value is less than or equal to the minimum of 3"),
        ({"type": "object", "required": ["a"]}, {}, '"a" is a required property'),
        ({"x-kubernetes-list-type": "set"}, ["a", "a"], "the value has non-unique elements"),
        (KEYED, [{"name": "a"}, {"name": "a"}], "has items with the same keys"),
        ({"not": {"required": ["a"]}}, {"a": 1}, None),
    ],
)  # fmt: skip
def test_fault_is_named_without_the_value(schema: Any, value: Any, text: str | None) -> None:
    [fault] = faults(schema, value)
    assert (fault.path, fault.place) == ("^.spec.size", ("spec", "size"))
    assert text is None or fault.text == text
    assert "secret" not in fault.text


def test_pattern_that_cannot_be_used_is_undecided() -> None:
    validity = Validity(a_schema(size={"type": "string", "pattern": "(?=a)b"}))
    assert (validity.undecided, validity.faults(a_lamp("desk", size="c"))) == ({"^.spec.size"}, [])


def test_expression_that_explodes_elsewhere_is_answered_at_once() -> None:
    [fault] = faults({"type": "string", "pattern": "^(a+)+$"}, "a" * 5000 + "b")
    assert fault.text == 'the value does not match "^(a+)+$"'


def test_no_more_than_a_hundred_faults_are_told() -> None:
    assert len(faults({"items": {"type": "string"}}, [1] * 500)) == 100


def test_schema_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="minLength"):
        Validity(a_schema(size={"minLength": "x"}))
