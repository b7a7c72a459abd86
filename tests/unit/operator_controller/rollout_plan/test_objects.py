from __future__ import annotations

from typing import Any

from olmv1.api.names import ANNOTATION_BUNDLE_VERSION
from olmv1.manifests import key_of
from operator_controller.rollout_plan import Change, FieldChange, ObjectChange
from operator_controller.rollout_plan.objects import object_changes


def a_map(name: str, version: str = "1", api: str = "v1", **data: Any) -> dict[str, Any]:
    annotations = {ANNOTATION_BUNDLE_VERSION: version}
    return {
        "apiVersion": api,
        "kind": "ConfigMap",
        "metadata": {"name": name, "annotations": annotations},
        "data": data,
    }


def test_changes_are_told_by_kind_and_name() -> None:
    same, old, new, gone = a_map("same"), a_map("x", a=1), a_map("x", a=2), a_map("gone")
    changes = object_changes([same, old, gone], [a_map("new"), new, same])
    assert changes == (
        ObjectChange(key_of(gone), Change.REMOVED),
        ObjectChange(key_of(a_map("new")), Change.ADDED),
        ObjectChange(key_of(new), Change.CHANGED, (FieldChange(".data.a", "1", "2"),)),
    )


def test_another_version_of_the_bundle_alone_is_no_change() -> None:
    assert object_changes([a_map("x", "1")], [a_map("x", "2")]) == ()


def test_another_version_of_the_api_is_a_change_of_the_same_object() -> None:
    (change,) = object_changes([a_map("x", api="things/v1")], [a_map("x", api="things/v2")])
    assert (change.key.version, change.change) == ("v2", Change.CHANGED)
    assert change.fields == (FieldChange(".apiVersion", '"things/v1"', '"things/v2"'),)


def test_fields_are_bounded() -> None:
    new = {**a_map("x"), "data": {f"k{number:04}": number for number in range(3000)}}
    (change,) = object_changes([{**new, "data": dict.fromkeys(new["data"])}], [new])
    assert (len(change.fields), change.is_cut) == (1000, True)
