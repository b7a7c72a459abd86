from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle.json_values import compact_json, exact, json_kind, memory_kind


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param(2**63 - 1, "9223372036854775807", id="largest exact integer"),
        pytest.param(2**64, "18446744073709552000", id="beyond 64 bits"),
        pytest.param(1.0, "1", id="whole float"),
        pytest.param(1.5, "1.5", id="float"),
        pytest.param(1e22, "1e+22", id="float with an exponent"),
        pytest.param({"b": [True, None, "x"]}, '{"b":[true,null,"x"]}', id="nested"),
    ],
)
def test_exact_keeps_numbers_as_the_reference_prints_them(given: Any, kept: str) -> None:
    assert compact_json(exact(given)) == kept


def test_exact_refuses_numbers_larger_than_any_float() -> None:
    with pytest.raises(ValueError, match=r"^number out of range$"):
        exact(10**400)


def test_exact_refuses_deep_nesting() -> None:
    value: Any = 1
    for _ in range(200):
        value = [value]
    with pytest.raises(ValueError, match=r"^nested deeper than 150 levels$"):
        exact(value)


def test_compact_json_sorts_and_escapes() -> None:
    assert compact_json({"b": "<&>\u2028ü", "a": 1}) == '{"a":1,"b":"\\u003c\\u0026\\u003e\\u2028ü"}'


@pytest.mark.parametrize(
    ("value", "in_json", "in_memory"),
    [
        (True, "bool", "bool"),
        ("x", "string", "string"),
        ({}, "object", "map"),
        ([], "array", "slice"),
        (1, "number", "int64"),
        (1.5, "number", "float64"),
    ],
)
def test_kinds_have_the_names_of_the_messages(value: Any, in_json: str, in_memory: str) -> None:
    assert (json_kind(value), memory_kind(value)) == (in_json, in_memory)


def test_json_kind_knows_null() -> None:
    assert json_kind(None) == "null"
