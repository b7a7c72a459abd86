from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.validation import validation_error
from tests.builders import an_object

PREFIX = 'revision validation error: revision "lantern-1" (1): '


@pytest.mark.parametrize(
    ("phases", "findings"),
    [
        pytest.param([("a", [an_object()]), ("b", [an_object(name="other")])], None, id="fine"),
        pytest.param(
            [("1a", [])],
            'phase name invalid: "1a": expected lower-case letters, digits and "-", a letter first',
            id="phase name",
        ),
        pytest.param(
            [("a", [an_object()]), ("b", [an_object()])],
            'phase "a": v1, Kind=ConfigMap lantern-system/thing: duplicate object found in phases: a, b',
            id="twice",
        ),
        pytest.param(
            [("a", [an_object(metadata={"uid": "u", "generateName": "g"})])],
            'phase "a": v1, Kind=ConfigMap lantern-system/thing: metadata.uid: Forbidden: must be empty, '
            'phase "a": v1, Kind=ConfigMap lantern-system/thing: metadata.generateName: Forbidden: must be empty',
            id="fields of the server",
        ),
        pytest.param(
            [("a", [{"metadata": {"name": "x"}, "apiVersion": "v1"}])],
            'phase "a": v1, Kind= /x: kind: Required value: must not be empty',
            id="no kind",
        ),
        pytest.param(
            [("a", [{"apiVersion": "v1", "kind": "X"}])],
            'phase "a": v1, Kind=X /: metadata.name: Required value: must not be empty',
            id="no name",
        ),
        pytest.param(
            [("a", [{"kind": "X", "metadata": {"name": "x"}}])],
            'phase "a": , Kind=X /x: apiVersion: Required value: must not be empty',
            id="no version",
        ),
        pytest.param(
            [("a", [{"apiVersion": "v1", "kind": 5, "metadata": "x"}])],
            'phase "a": object 0: kind: Invalid value: must be a string, '
            'phase "a": object 0: metadata: Invalid value: must be an object',
            id="wrong types",
        ),
        pytest.param(
            [("a", [an_object(metadata={"name": ["x"], "labels": {"a": 1}})])],
            'phase "a": object 0: metadata.name: Invalid value: must be a string, '
            'phase "a": object 0: metadata.labels: Invalid value: must be a map of strings',
            id="wrong types in metadata",
        ),
    ],
)
def test_validation_error_lists_every_finding(phases: Any, findings: str | None) -> None:
    assert validation_error("lantern-1", 1, phases) == (None if findings is None else PREFIX + findings)
