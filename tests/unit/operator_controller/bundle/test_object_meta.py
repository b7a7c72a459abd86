from __future__ import annotations

import re
from typing import Any

import pytest

from operator_controller.bundle.object_meta import check_object_meta

_PREFIX = "json: cannot unmarshal"


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {"name": "a", "labels": {"b": "c"}, "annotations": None, "finalizers": ["d"], "unknown": 1},
        {"generation": 1, "creationTimestamp": "2024-01-02T03:04:05Z", "managedFields": [{"fieldsV1": {"f:a": {}}}]},
    ],
)
def test_check_object_meta_accepts_what_the_api_server_reads(metadata: Any) -> None:
    check_object_meta(metadata)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"annotations": {"a": True}}, "bool into Go struct field ObjectMeta.metadata.annotations of type string"),
        ({"labels": []}, "array into Go struct field ObjectMeta.metadata.labels of type map[string]string"),
        ({"finalizers": "x"}, "string into Go struct field ObjectMeta.metadata.finalizers of type []string"),
        ({"name": 1}, "number into Go struct field ObjectMeta.metadata.name of type string"),
        ({"generation": True}, "bool into Go struct field ObjectMeta.metadata.generation of type int64"),
        ({"generation": 1.5}, "number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64"),
        (
            {"ownerReferences": [{"name": 1}]},
            "number into Go struct field OwnerReference.metadata.ownerReferences.name of type string",
        ),
        (
            {"ownerReferences": {}},
            "object into Go struct field ObjectMeta.metadata.ownerReferences of type []v1.OwnerReference",
        ),
        ({"creationTimestamp": 1}, "number into Go value of type string"),
    ],
)
def test_check_object_meta_names_field_and_types(metadata: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(_PREFIX)} {re.escape(message)}$"):
        check_object_meta(metadata)
