from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety import Harm, HarmKind, Stored, StoredCheck
from tests.definitions import a_definition, a_lamp, a_schema, a_version, with_field

STRING = {"type": "string"}
SIZE = "^.spec.size"


def looked_at(old: Any, new: Any, *objects: Any) -> Stored:
    check = StoredCheck(old, new)
    check.add(objects)
    return check.result()


def a_harm(kind: HarmKind, detail: str, *names: str, path: str = SIZE, version: str = "v1") -> Harm:
    return Harm(version, path, kind, len(names), names, detail)


def test_objects_that_use_a_removed_field_lose_data() -> None:
    lamps = [a_lamp("desk", size="5"), a_lamp("door"), a_lamp("hall", size="")]
    found = looked_at(with_field(STRING), with_field(None), *lamps)
    harm = a_harm(HarmKind.LOSS, "the field is removed", "shop/desk", "shop/hall")
    assert found == Stored(3, ("shop/desk", "shop/door", "shop/hall"), (harm,))


def test_everything_inside_a_lost_field_is_named() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "array", "items": STRING}, "b": STRING}}
    found = looked_at(with_field(inner), with_field(None), a_lamp("desk", size={"a": ["x"]}))
    assert [harm.path for harm in found.harms] == [SIZE, f"{SIZE}.a", f"{SIZE}.a.items"]


def test_objects_that_no_longer_fit_become_invalid() -> None:
    old, new = {"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 3}
    found = looked_at(with_field(old), with_field(new), a_lamp("desk", size=2), a_lamp("hall", size=3))
    assert found.harms == (a_harm(HarmKind.INVALID, "the value is less than the minimum of 3", "shop/desk"),)


def test_objects_without_a_field_are_given_its_new_default() -> None:
    new = {**STRING, "default": "red"}
    found = looked_at(with_field(STRING), with_field(new), a_lamp("desk"), a_lamp("hall", size="5"))
    assert found.harms == (a_harm(HarmKind.CHANGED, "the default is new", "shop/desk"),)


def test_default_of_a_new_field_harms_nobody() -> None:
    assert looked_at(with_field(None), with_field({**STRING, "default": "red"}), a_lamp("desk")).harms == ()


def test_required_field_with_a_default_harms_nobody() -> None:
    fields = {"size": {**STRING, "default": "red"}}
    old, new = a_schema(**fields), a_schema(**fields)
    new["properties"]["spec"]["required"] = ["size"]
    assert looked_at(a_definition(a_version(schema=old)), a_definition(a_version(schema=new)), a_lamp("a")).harms == ()


def test_what_was_wrong_before_is_no_harm() -> None:
    field = {"type": "integer", "minimum": 3}
    lamp = a_lamp("desk", size=1, unknown=2)
    assert looked_at(with_field(field), with_field({**field, "maximum": 9}), lamp).harms == ()


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        pytest.param({**STRING, "enum": ["red", "blue"]}, {**STRING, "enum": ["red"]}, "green", id="enum"),
        pytest.param({"type": "integer", "maximum": 9}, {"type": "integer", "maximum": 5}, 10, id="bound"),
        pytest.param({**STRING, "pattern": "^a"}, {**STRING, "pattern": "^b"}, "c", id="pattern"),
    ],
)
def test_what_did_not_fit_a_wider_rule_does_not_become_invalid(old: Any, new: Any, value: object) -> None:
    assert looked_at(with_field(old), with_field(new), a_lamp("desk", size=value)).harms == ()


def test_another_field_that_is_missing_makes_invalid() -> None:
    old, new = a_schema(size=STRING, color=STRING), a_schema(size=STRING, color=STRING)
    old["properties"]["spec"]["required"] = ["size"]
    new["properties"]["spec"]["required"] = ["size", "color"]
    found = looked_at(a_definition(a_version(schema=old)), a_definition(a_version(schema=new)), a_lamp("a"))
    assert [(harm.kind, harm.detail) for harm in found.harms] == [(HarmKind.INVALID, '"color" is a required property')]


def test_objects_are_seen_in_every_version_that_does_not_need_a_webhook() -> None:
    alpha = a_version("v1alpha1", a_schema(size=STRING), storage=False)
    old = a_definition(a_version(schema=a_schema(size=STRING)), alpha)
    new = a_definition(a_version(schema=a_schema(size=STRING)), a_version("v1alpha1", storage=False))
    harm = a_harm(HarmKind.LOSS, "the field is removed", "shop/desk", version="v1alpha1")
    assert looked_at(old, new, a_lamp("desk", size="5")).harms == (harm,)
    new["spec"]["conversion"] = {"strategy": "Webhook"}
    assert looked_at(old, new, a_lamp("desk", size="5")) == Stored(
        1, ("shop/desk",), undecided=frozenset({("v1alpha1", "^")})
    )


def test_new_version_without_a_field_loses_it() -> None:
    old = with_field(STRING)
    new = a_definition(a_version("v2"), a_version("v1", a_schema(size=STRING), storage=False))
    harm = a_harm(HarmKind.LOSS, "the field is removed", "shop/desk", version="v2")
    assert looked_at(old, new, a_lamp("desk", size="5")).harms == (harm,)


def test_definition_that_kept_everything_loses_what_it_begins_to_prune() -> None:
    found = looked_at(a_definition(preserveUnknownFields=True), a_definition(), a_lamp("desk", size="5"))
    assert found.harms == (a_harm(HarmKind.LOSS, "the field is removed", "shop/desk"),)


def test_object_of_a_version_that_nobody_knows_is_undecided() -> None:
    found = looked_at(a_definition(), a_definition(), a_lamp("desk", version="v7"))
    assert found == Stored(1, ("shop/desk",), undecided=frozenset({("v1", "^")}))


def test_pattern_that_cannot_be_used_is_undecided() -> None:
    found = looked_at(with_field(STRING), with_field({**STRING, "pattern": "(?=a)b"}), a_lamp("desk", size="c"))
    assert found == Stored(1, ("shop/desk",), undecided=frozenset({("v1", SIZE)}))


@pytest.mark.parametrize("other", [None, 1, {}, {"kind": "Lamp"}, {"kind": "Lamp", "apiVersion": "other.io/v1"}])
def test_objects_of_other_kinds_are_passed_over(other: object) -> None:
    assert looked_at(a_definition(), None, other, {**a_lamp("a"), "kind": "Shade"}) == Stored(0)


def test_objects_of_a_definition_that_goes_are_counted() -> None:
    wide = {**a_lamp("hall"), "metadata": {"name": "hall"}}
    nameless = {**a_lamp(""), "metadata": None}
    assert looked_at(a_definition(), None, wide, nameless) == Stored(2, ("hall", "(unnamed)"))


def test_a_hundred_names_are_kept_and_all_are_counted() -> None:
    lamps = [a_lamp(f"lamp-{number:03}", size="x") for number in range(150)]
    found = looked_at(with_field(STRING), with_field(None), *lamps)
    assert (found.count, len(found.names), found.harms[0].count, len(found.harms[0].names)) == (150, 100, 150, 100)
