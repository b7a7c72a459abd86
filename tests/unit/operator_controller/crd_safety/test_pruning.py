from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety.pruning import filled, places_in, pruned
from tests.definitions import a_lamp, a_schema

STRING = {"type": "string"}
KEEP = {"x-kubernetes-preserve-unknown-fields": True}
OBJECT = {"type": "object", "properties": {"a": STRING}}


@pytest.mark.parametrize(
    ("schema", "value", "left", "lost"),
    [
        pytest.param(OBJECT, {"a": "x", "b": {"c": 1}}, {"a": "x"}, ["b"], id="unknown"),
        pytest.param({**OBJECT, **KEEP}, {"a": "x", "b": 1}, {"a": "x", "b": 1}, [], id="kept"),
        pytest.param(
            {"properties": {"in": OBJECT}, **KEEP}, {"in": {"b": 1}, "c": 1}, {"in": {}, "c": 1}, ["in.b"],
            id="known inside kept",
        ),
        pytest.param({"items": OBJECT}, [{"a": 1}, {"b": 2}], [{"a": 1}, {}], ["1.b"], id="items"),
        pytest.param({}, [{"a": 1}, 2], [{}, 2], ["0.a"], id="list without items"),
        pytest.param({"additionalProperties": OBJECT}, {"k": {"a": 1, "b": 2}}, {"k": {"a": 1}}, ["k.b"], id="map"),
        pytest.param({"additionalProperties": True}, {"k": {"b": 2}, "l": [1]}, {"k": {}, "l": [1]}, ["k.b"], id="any"),
        pytest.param(
            {**OBJECT, "x-kubernetes-embedded-resource": True},
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": 1},
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}},
            ["spec"],
            id="embedded resource",
        ),
        pytest.param({"x-kubernetes-int-or-string": True}, 3, 3, [], id="int or string"),
        pytest.param({"type": "string"}, {"a": 1}, {}, ["a"], id="object in place of a text"),
    ],
)  # fmt: skip
def test_only_known_fields_are_left(schema: Any, value: Any, left: Any, lost: list[str]) -> None:
    found, places = pruned(a_schema(size=schema), a_lamp("desk", size=value))
    assert found == a_lamp("desk", size=left)
    assert [".".join(map(str, place)) for place in places] == [f"spec.size.{each}" for each in lost]


def test_resource_keeps_what_every_resource_has() -> None:
    assert pruned({}, a_lamp("desk", size=1)) == (
        {"apiVersion": "example.com/v1", "kind": "Lamp", "metadata": {"name": "desk", "namespace": "shop"}},
        [("spec",)],
    )


@pytest.mark.parametrize(
    ("schema", "value", "expected", "given"),
    [
        ({"a": {"default": 3}}, {}, {"a": 3}, [("a",)]),
        ({"a": {"default": 3}}, {"a": 4}, {"a": 4}, []),
        ({"a": {"default": 3}}, {"a": None}, {"a": 3}, [("a",)]),
        ({"a": {"default": 3, "nullable": True}}, {"a": None}, {"a": None}, []),
        ({"a": {}}, {"a": None}, {}, []),
        ({"a": {"default": {}, "properties": {"b": {"default": 1}}}}, {}, {"a": {"b": 1}}, [("a",)]),
        (
            {"a": {"items": {"properties": {"b": {"default": 1}}}}},
            {"a": [{}, 2]},
            {"a": [{"b": 1}, 2]},
            [("a", 0, "b")],
        ),
        ({"a": {"properties": {"b": {"default": 1}}}}, {}, {}, []),
    ],
)
def test_missing_fields_are_given_their_default(schema: Any, value: Any, expected: Any, given: Any) -> None:
    assert filled({"properties": schema}, value) == (expected, given)


def test_places_are_called_as_in_the_schema() -> None:
    schema = {"properties": {"list": {"items": OBJECT}}}
    assert list(places_in(schema, {"list": [{"a": 1}], "x": 2})) == [
        "^",
        "^.list",
        "^.list.items",
        "^.list.items.a",
        "^.x",
    ]
