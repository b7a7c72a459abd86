from __future__ import annotations

from typing import Any

import pytest

from operator_controller.rollout.observe import FINGERPRINT, slim
from tests.builders import an_object

META = {"uid": "u", "resourceVersion": "5", "labels": {"a": "b"}, "annotations": {"c": "d"}}


def fingerprint(**changes: Any) -> str:
    metadata = {**META, **changes.pop("metadata", {})}
    return str(slim(an_object(metadata=metadata, **changes))[FINGERPRINT])


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"status": {"x": 1}}, id="status"),
        pytest.param(
            {"metadata": {"resourceVersion": "9", "generation": 3, "managedFields": [{}]}}, id="server fields"
        ),
        pytest.param({"metadata": {"annotations": {"c": "d", "deployment.kubernetes.io/revision": "2"}}}, id="books"),
    ],
)
def test_slim_keeps_its_fingerprint_when_content_stays(changes: dict[str, Any]) -> None:
    assert fingerprint(**changes) == fingerprint()


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"data": {"x": "y"}}, id="content"),
        pytest.param({"metadata": {"labels": {}}}, id="label"),
        pytest.param({"metadata": {"annotations": {}}}, id="annotation"),
        pytest.param({"metadata": {"ownerReferences": [{"uid": "x"}]}}, id="owner"),
    ],
)
def test_slim_changes_its_fingerprint_with_content(changes: dict[str, Any]) -> None:
    assert fingerprint(**changes) != fingerprint()


def test_slim_keeps_metadata_and_status_only() -> None:
    kept = slim(an_object(metadata={**META, "managedFields": [{}]}, status={"x": 1}, data={"big": "thing"}))
    assert {key: value for key, value in kept.items() if key != FINGERPRINT} == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "thing", "namespace": "lantern-system", **META},
        "status": {"x": 1},
    }


def test_slim_survives_an_object_that_nests_too_deep() -> None:
    deep: Any = {}
    for _ in range(400):
        deep = {"a": deep}
    first = slim(an_object(metadata={"resourceVersion": "1"}, data=deep))
    again = slim(an_object(metadata={"resourceVersion": "2"}, data=deep))
    assert first[FINGERPRINT] != again[FINGERPRINT]
