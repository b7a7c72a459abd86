from __future__ import annotations

import json
from typing import Any

import pytest

from operator_controller.bundle.conversion import ConversionError, convert, type_tables
from tests.bundles import a_crd
from tests.data import data_dir

_CONTAINER = {"name": "", "resources": {}}


@pytest.mark.parametrize(
    ("type_name", "given", "written"),
    [
        pytest.param("DeploymentStrategy", {"Type": "x", "kind": "y"}, {}, id="unknown fields and spellings vanish"),
        pytest.param("DeploymentStrategy", {"type": None}, {}, id="null is absent"),
        pytest.param("PolicyRule", {}, {"verbs": None}, id="field without flag is null"),
        pytest.param("PolicyRule", {"verbs": [], "resources": []}, {"verbs": []}, id="empty list only without flag"),
        pytest.param("Container", {}, _CONTAINER, id="structs are never left out"),
        pytest.param("Container", {"env": [None]}, {**_CONTAINER, "env": [{"name": ""}]}, id="null item, empty struct"),
        pytest.param("Container", {"args": [None]}, {**_CONTAINER, "args": [""]}, id="null item, empty text"),
        pytest.param("Container", {"stdin": False}, _CONTAINER, id="false left out"),
        pytest.param("Toleration", {"tolerationSeconds": 0}, {"tolerationSeconds": 0}, id="pointer to zero kept"),
        pytest.param("ObjectMeta", {"creationTimestamp": None}, {}, id="no creation time"),
        pytest.param(
            "ResourceRequirements", {"limits": {"cpu": 1.5}}, {"limits": {"cpu": "1500m"}}, id="quantities respelled"
        ),
        pytest.param(
            "ResourceFieldSelector", {"resource": "x"}, {"resource": "x", "divisor": "0"}, id="quantity never left out"
        ),
    ],
)
def test_convert_writes_what_the_type_writes(type_name: str, given: Any, written: Any) -> None:
    assert convert(type_name, given) == written


def test_convert_writes_fields_in_the_order_of_the_type() -> None:
    assert list(convert("PolicyRule", {"resources": ["a"], "verbs": ["b"]})) == ["verbs", "resources"]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param({"default": None}, {}, id="null default vanishes"),
        pytest.param({"default": {"a": None}}, {"default": {"a": None}}, id="free JSON keeps its nulls"),
        pytest.param({"enum": [None, 1]}, {"enum": [None, 1]}, id="null member of an enum"),
        pytest.param({"additionalProperties": False}, {"additionalProperties": False}, id="boolean for a schema"),
        pytest.param({"additionalProperties": {}}, {"additionalProperties": {}}, id="empty schema"),
        pytest.param({"items": {"type": "x", "y": 1}}, {"items": {"type": "x"}}, id="one schema for items"),
        pytest.param({"items": [{"nullable": False}]}, {"items": [{}]}, id="list of schemas for items"),
        pytest.param(
            {"dependencies": {"a": ["b"], "c": {}}}, {"dependencies": {"a": ["b"], "c": {}}}, id="dependencies"
        ),
        pytest.param({"maximum": 2**63 - 1}, {"maximum": 9223372036854776000}, id="limits are floats"),
        pytest.param({"nullable": False, "description": ""}, {}, id="empty members vanish"),
    ],
)
def test_convert_keeps_json_schemas(given: Any, written: Any) -> None:
    assert convert("JSONSchemaProps", given) == written


def test_convert_writes_the_status_of_a_crd_although_it_is_empty() -> None:
    names = {"kind": "Thing", "plural": "things"}
    spec = {"group": "example.com", "names": names, "scope": "Namespaced", "versions": []}
    status = {"acceptedNames": {"kind": "", "plural": ""}, "conditions": None, "storedVersions": None}
    assert convert("CustomResourceDefinition", a_crd()) == {**a_crd(), "spec": spec, "status": status}


@pytest.mark.parametrize(
    ("given", "message", "path"),
    [
        pytest.param([], "cannot restore struct from: slice", (), id="list for a struct"),
        pytest.param({"env": {}}, "cannot restore slice from map", ("env",), id="map for a list"),
        pytest.param({"env": "x"}, "cannot restore slice from string", ("env",), id="text for a list"),
        pytest.param({"env": [{"name": 1}]}, "cannot convert int64 to string", ("env", 0, "name"), id="deep"),
        pytest.param(
            {"resources": {"limits": []}}, "cannot restore map from slice", ("resources", "limits"), id="list for a map"
        ),
    ],
)
def test_convert_names_the_finding_and_its_place(given: Any, message: str, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ConversionError) as caught:
        convert("Container", given)
    assert (str(caught.value), caught.value.path) == (message, path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"additionalProperties": "x"}, "boolean or JSON schema expected"),
        ({"items": "x"}, "cannot restore slice from string"),
        ({"dependencies": {"a": 1}}, "cannot restore slice from int64"),
    ],
)
def test_convert_refuses_what_is_neither_schema_nor_its_alternative(given: Any, message: str) -> None:
    with pytest.raises(ConversionError) as caught:
        convert("JSONSchemaProps", given)
    assert str(caught.value) == message


@pytest.mark.data
def test_type_tables_agree_with_the_kubernetes_types() -> None:
    source = json.loads(data_dir("kubernetes-types.json").read_bytes())["types"]
    short = {name.rpartition(".")[2]: {field[0] for field in fields} for name, fields in source.items()}
    ambiguous = {"ServiceReference", "WebhookClientConfig"}  # of two groups; only the CRD's are reached
    tables = {name: set(fields) for name, fields in type_tables().items() if name not in ambiguous}
    assert tables == {name: short[name] for name in tables}
