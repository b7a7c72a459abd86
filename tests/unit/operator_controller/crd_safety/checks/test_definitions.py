from __future__ import annotations

from typing import Any

from operator_controller.crd_safety.checks.definitions import (
    check_pruning,
    check_removed_fields,
    check_scope,
    check_served_versions,
    check_stored_versions,
)
from operator_controller.crd_safety.definition import definition_of
from operator_controller.crd_safety.findings import Risk
from tests.definitions import a_definition, a_schema, a_version, with_field


def found(check: Any, old: Any, new: Any) -> list[tuple[str, Risk, str]]:
    placed = check(definition_of(old), definition_of(new))
    return sorted((each.remark.text, each.remark.risk, each.label or each.path) for each in placed)


def test_scope_change_breaks() -> None:
    text = 'scope changed : "Namespaced" -> "Cluster"'
    assert found(check_scope, a_definition(), a_definition(scope="Cluster")) == [(text, Risk.BREAKING, "")]


def test_stored_versions_must_stay() -> None:
    old = a_definition(a_version(), stored=["v1alpha1", "v1", "v1beta1"])
    text = "stored versions removed : [v1alpha1 v1beta1]"
    assert found(check_stored_versions, old, a_definition()) == [(text, Risk.BREAKING, "v1alpha1+v1beta1")]


def test_stored_version_is_the_storage_version_when_the_status_is_not_known() -> None:
    text = "stored versions removed : [v1]"
    assert found(check_stored_versions, a_definition(), a_definition(a_version("v2"))) == [(text, Risk.BREAKING, "v1")]


def test_served_versions_must_be_served() -> None:
    others = [a_version(name, storage=False) for name in ("v1alpha1", "v1beta1")]
    new = a_definition(a_version(), a_version("v1beta1", served=False, storage=False))
    text = "served versions removed : [v1alpha1 v1beta1]"
    old = a_definition(a_version(), *others)
    assert found(check_served_versions, old, new) == [(text, Risk.BREAKING, "v1alpha1+v1beta1")]


def test_removed_fields_are_named_with_their_version() -> None:
    old = with_field({"type": "array", "items": {"type": "string"}})
    paths = ["^.spec.size", "^.spec.size.items"]
    removed = [(f"removed field : v1.{path}", Risk.NEEDS_DATA, path) for path in paths]
    assert found(check_removed_fields, old, with_field(None)) == removed


def test_fields_of_a_version_that_is_gone_are_not_removed_fields() -> None:
    old = a_definition(a_version("v1alpha1", a_schema(size={"type": "string"})))
    assert found(check_removed_fields, old, a_definition()) == []


def test_definition_that_begins_to_prune_depends_on_objects() -> None:
    text = "preserveUnknownFields removed : true -> false"
    old = a_definition(preserveUnknownFields=True)
    assert found(check_pruning, old, a_definition()) == [(text, Risk.NEEDS_DATA, "")]
    assert found(check_pruning, a_definition(), old) == []
