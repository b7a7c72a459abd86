from __future__ import annotations

from typing import Any

import pytest

from operator_controller.rollout_plan.fields import FieldChange, changed_fields

LONG = "x" * 300


def a_map(**data: Any) -> dict[str, Any]:
    return {"kind": "ConfigMap", "data": data}


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        pytest.param({"a": 1}, {"a": 1}, [], id="nothing"),
        pytest.param({"a": 1}, {"a": 2}, [(".data.a", "1", "2")], id="a value"),
        pytest.param({"a": 1}, {"a": True}, [(".data.a", "1", "true")], id="a number and a truth that are equal"),
        pytest.param({}, {"a": None}, [(".data.a", "", "null")], id="null is not absence"),
        pytest.param({"b": 1}, {"a": 1}, [(".data.a", "", "1"), (".data.b", "1", "")], id="one comes, one goes"),
        pytest.param({"a/b.c": 1}, {"a/b.c": 2}, [('.data["a/b.c"]', "1", "2")], id="a key that is no word"),
        pytest.param({"a": {"b": 1}}, {"a": "b"}, [(".data.a", '{"b": 1}', '"b"')], id="another type"),
        pytest.param({"a": [1, 2]}, {"a": [1, 3]}, [(".data.a[1]", "2", "3")], id="a list as long as before"),
        pytest.param({"a": [1]}, {"a": [1, 2]}, [(".data.a", "[1]", "[1, 2]")], id="a longer list"),
        pytest.param(
            {"a": [{"name": "x", "v": 1}, {"name": "y"}]},
            {"a": [{"name": "y"}, {"name": "x", "v": 2}, {"name": "z"}]},
            [(".data.a[name=x].v", "1", "2"), (".data.a[name=z]", "", '{"name": "z"}')],
            id="a list of names, in another order",
        ),
        pytest.param(
            {"a": [{"name": "x"}, {"name": "x"}]},
            {"a": [{"name": "x"}, {"name": "y"}]},
            [(".data.a[1].name", '"x"', '"y"')],
            id="a name twice",
        ),
        pytest.param({"a": LONG}, {}, [(".data.a", f'"{"x" * 118}…', "")], id="a long value is cut"),
    ],
)
def test_changed_fields_lead_to_each_difference(
    old: dict[str, Any], new: dict[str, Any], changes: list[tuple[str, str, str]]
) -> None:
    assert list(changed_fields(a_map(**old), a_map(**new))) == [FieldChange(*each) for each in changes]


def test_values_of_a_secret_are_not_told() -> None:
    old = {"kind": "Secret", "type": "Opaque", "data": {"a": "b2xk"}}
    new = {"kind": "Secret", "type": "other", "data": {"a": "bmV3"}, "stringData": {"b": "c"}}
    assert list(changed_fields(old, new)) == [
        FieldChange(".data.a", None, None),
        FieldChange(".stringData", None, None),
        FieldChange(".type", '"Opaque"', '"other"'),
    ]


def test_what_is_nested_too_deep_is_one_change() -> None:
    def nested(value: int) -> Any:
        found: Any = value
        for _ in range(100):
            found = {"a": found}
        return found

    (change,) = changed_fields(nested(1), nested(2))
    assert change.path == ".a" * 60
