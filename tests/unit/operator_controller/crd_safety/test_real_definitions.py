"""Every definition of the real bundles: against itself, and with a change in each of its fields."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from olmv1.yaml import load_all
from operator_controller.crd_safety import Outcome, Stored, StoredCheck, is_definition, judge
from operator_controller.crd_safety.definition import definition_of
from operator_controller.crd_safety.validity import Validity
from tests.data import data_dir

pytestmark = pytest.mark.data


def real_definitions() -> Iterator[dict[str, Any]]:
    files = sorted(data_dir("bundles").glob("*/*/manifests/*.y*ml"))
    for file in files:
        yield from (each for each in load_all(file.read_bytes(), name=file.name) if is_definition(each))


def schema_of(definition: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return schema


def test_definition_against_itself_is_safe() -> None:
    definitions = list(real_definitions())
    assert len(definitions) > 50
    assert [each["metadata"]["name"] for each in definitions if judge(each, each).findings] == []


def test_every_schema_can_be_asked() -> None:
    undecided = {
        (definition.name, version.name): validity.undecided
        for definition in map(definition_of, real_definitions())
        for version in definition.versions
        if (validity := Validity(version.schema)).undecided
    }
    assert undecided == {}


def test_field_that_goes_is_named_with_the_object_that_loses_it() -> None:
    for old in real_definitions():
        spec = schema_of(old).get("properties", {}).get("spec", {})
        fields = sorted(spec.get("properties", {}))
        version, group = old["spec"]["versions"][0]["name"], old["spec"]["group"]
        if not fields or spec.get("x-kubernetes-preserve-unknown-fields"):
            continue
        new = copy.deepcopy(old)
        new_spec = schema_of(new)["properties"]["spec"]
        del new_spec["properties"][fields[0]]
        check = StoredCheck(old, new)
        check.add(
            [{"apiVersion": f"{group}/{version}", "kind": old["spec"]["names"]["kind"], "spec": {fields[0]: None}}]
        )
        removed = f"existingFieldRemoval: removed field : {version}.^.spec.{fields[0]}"
        found = {each.finding.line: each.outcome for each in judge(old, new, stored=check.result()).findings}
        assert found[removed] is Outcome.HARMS, old["metadata"]["name"]
        assert judge(old, new, stored=Stored(0)).failure is None


def test_definition_that_goes_is_blocked_by_its_objects() -> None:
    assert all(judge(each, None, stored=Stored(1, ("a",))).failure for each in real_definitions())
