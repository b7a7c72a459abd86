from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety import Risk, judge
from tests.definitions import a_definition, a_schema, a_version, with_field

STRING = {"type": "string"}


def lines(old: Any, new: Any) -> list[str]:
    return [each.finding.line for each in judge(old, new).findings]


def risks(old: Any, new: Any) -> dict[str, Risk]:
    return {each.finding.line: each.finding.risk for each in judge(old, new).findings}


def two_versions(alpha: Any, stable: Any, **spec: Any) -> dict[str, Any]:
    versions = a_version("v1", a_schema(**stable)), a_version("v1alpha1", a_schema(**alpha), storage=False)
    return a_definition(*versions, **spec)


def test_removed_field_is_also_compared_with_nothing() -> None:
    old = with_field({"type": "string", "enum": ["a"], "default": "a"})
    assert risks(old, with_field(None)) == {
        "existingFieldRemoval: removed field : v1.^.spec.size": Risk.NEEDS_DATA,
        r'v1: ^.spec.size: default: default value removed : "\"a\""': Risk.NEEDS_DATA,
        'v1: ^.spec.size: enum: allowed enum values removed : ["a"]': Risk.NEEDS_DATA,
        'v1: ^.spec.size: type: type changed : "string" -> ""': Risk.NEEDS_DATA,
    }


def test_findings_are_sorted_by_pass_version_path_and_check() -> None:
    field = {"type": "string", "minLength": 1}
    old = two_versions({"b": STRING, "a": STRING}, {"b": STRING}, scope="Namespaced")
    new = two_versions({"b": field, "a": {"type": "integer"}}, {"b": field}, scope="Cluster")
    added = "minLength: minLength constraint added when there was none previously : 1"
    assert lines(old, new) == [
        'scope: scope changed : "Namespaced" -> "Cluster"',
        f"v1: ^.spec.b: {added}",
        'v1alpha1: ^.spec.a: type: type changed : "string" -> "integer"',
        f"v1alpha1: ^.spec.b: {added}",
    ]


def test_fields_of_new_versions_only_are_not_compared() -> None:
    assert lines(with_field(None), with_field({"type": "string", "minLength": 3, "default": "red"})) == []


def test_description_is_no_finding() -> None:
    assert lines(with_field(STRING), with_field({**STRING, "description": "How big."})) == []


def test_new_difference_between_served_versions_is_told() -> None:
    old = two_versions({"size": STRING}, {"size": STRING})
    new = two_versions({"size": STRING}, {"size": {**STRING, "pattern": "^a"}})
    assert lines(old, new) == [
        'v1: ^.spec.size: pattern: pattern added : "" -> "^a"',
        'v1alpha1 -> v1: ^.spec.size: pattern: pattern added : "" -> "^a"',
    ]


def test_difference_between_served_versions_that_was_there_before_is_dropped() -> None:
    both = two_versions({"size": STRING}, {"size": {"type": "integer"}})
    wider = two_versions({"size": STRING, "color": STRING}, {"size": {"type": "integer"}, "color": STRING})
    assert lines(both, wider) == []


def test_served_versions_are_not_compared_when_a_webhook_converts() -> None:
    old, new = a_definition(), a_definition(a_version(), a_version("v1alpha1", a_schema(a=STRING), storage=False))
    found = 'v1alpha1 -> v1: ^.spec.a: type: type changed : "string" -> ""'
    assert lines(old, new) == [found]
    new["spec"]["conversion"] = {"strategy": "Webhook"}
    assert lines(old, new) == []


def test_versions_that_are_not_served_are_not_compared_with_others() -> None:
    hidden = a_version("v1alpha1", a_schema(a=STRING), served=False, storage=False)
    assert lines(a_definition(), a_definition(a_version(), hidden)) == []


@pytest.mark.parametrize(
    ("old", "new", "risk"),
    [
        pytest.param({"allOf": [{"minLength": 1}]}, {}, Risk.SAFE, id="all dropped"),
        pytest.param({"allOf": [{"minLength": 1}, {"maxLength": 3}]}, {"allOf": [{"minLength": 1}]}, Risk.NEEDS_DATA,
                     id="one of two dropped"),
        pytest.param({"allOf": [{"pattern": "a"}]}, {"allOf": [{}]}, Risk.SAFE, id="relaxed"),
        pytest.param({"not": {"pattern": "a"}}, {"not": {"minLength": 1}}, Risk.NEEDS_DATA, id="in a negation"),
    ],
)  # fmt: skip
def test_constraints_inside_junctors_depend_on_each_other(old: Any, new: Any, risk: Risk) -> None:
    found = risks(with_field({**STRING, **old}), with_field({**STRING, **new}))
    assert {each for line, each in found.items() if "^.spec.size." in line} == {risk}


def test_field_that_is_described_where_anything_was_kept_depends_on_objects() -> None:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    known = {**free, "properties": {"a": {"type": "object", "properties": {"b": STRING}}}}
    line = "v1: ^.spec.size.a: storedObjects: field added where unknown fields were kept"
    assert risks(with_field(free), with_field(known)) == {line: Risk.NEEDS_DATA}


def test_consequences_know_the_outermost_removed_field() -> None:
    inner = {"type": "object", "properties": {"a": STRING}}
    found = {each.finding.id: each.finding.cause for each in judge(with_field(inner), with_field(None)).findings}
    cause = "lamps.example.com:existingFieldRemoval:v1:^.spec.size"
    assert found == {
        cause: "",
        f"{cause}.a": cause,
        "lamps.example.com:type:v1:^.spec.size": cause,
        "lamps.example.com:type:v1:^.spec.size.a": cause,
    }


def test_schema_that_is_too_deep_blocks_and_is_named() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(300):
        deep = {"type": "object", "properties": {"a": deep}}
    text = "new definition: the schema of version v1 is nested deeper than 200 levels"
    assert lines(a_definition(), a_definition(a_version(schema=deep))) == [f"unreadable: {text}"]


def test_more_changes_than_any_honest_upgrade_has_block_as_one() -> None:
    many = a_definition(a_version(schema=a_schema(**{f"f{number}": STRING for number in range(6000)})))
    assert lines(many, a_definition()) == ["unreadable: new definition: has more than 5000 changes"]


def test_more_versions_than_can_be_compared_block_as_one() -> None:
    versions = [
        a_version(f"v{number}", a_schema(**{f"f{each}": STRING for each in range(number, number + 40)}))
        for number in range(1, 150)
    ]
    [line] = lines(a_definition(*versions), a_definition(*versions, scope="Cluster"))
    assert line == "unreadable: new definition: has too many versions and fields to compare"
