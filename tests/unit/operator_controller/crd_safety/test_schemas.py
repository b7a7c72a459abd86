from __future__ import annotations

import pytest

from operator_controller.crd_safety.bounded import TooLargeError
from operator_controller.crd_safety.schemas import flattened, is_below, place_of
from tests.definitions import a_schema

STRING = {"type": "string"}


def test_every_schema_has_its_path() -> None:
    fields = {
        "list": {"items": STRING},
        "map": {"additionalProperties": STRING},
        "one": {"allOf": [{"properties": {"a": STRING}}], "not": STRING},
    }
    assert sorted(flattened(a_schema(**fields))) == [
        "^",
        "^.spec",
        "^.spec.list",
        "^.spec.list.items",
        "^.spec.map",
        "^.spec.map.additionalProperties",
        "^.spec.one",
        "^.spec.one.allOf[0]",
        "^.spec.one.allOf[0].a",
        "^.spec.one.not",
    ]


def test_what_is_inside_a_junctor_speaks_about_the_value_outside() -> None:
    nodes = flattened(a_schema(one={"anyOf": [{"properties": {"a": {"not": STRING}}}]}))
    node = nodes["^.spec.one.anyOf[0].a.not"]
    assert (node.place, node.junctor) == ("^.spec.one", "anyOf")


def test_place_of_a_value_is_the_path_of_its_schema() -> None:
    inner = {"properties": {"a": STRING}, "additionalProperties": STRING}
    schema = a_schema(list={"items": inner})
    places = [("spec", "list", 3, "a"), ("spec", "list", 3, "b"), ("spec", "other", "x")]
    assert [place_of(schema, place) for place in places] == [
        "^.spec.list.items.a",
        "^.spec.list.items.additionalProperties",
        "^.spec.other.x",
    ]


def test_field_with_a_longer_name_is_not_below() -> None:
    assert [is_below(path, "^.a") for path in ("^.a", "^.a.b", "^.a[0]", "^.ab")] == [True, True, True, False]


def test_paths_that_would_fill_the_memory_are_refused() -> None:
    name = "n" * 1_000_000
    leaves = {str(number): STRING for number in range(50)}
    with pytest.raises(TooLargeError, match="^has paths that are too long$"):
        flattened(a_schema(**{name: {"properties": leaves}}))
