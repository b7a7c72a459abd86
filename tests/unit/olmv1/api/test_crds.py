"""What the CRDs say that no model can: names, columns, conditions, and an explanation of every field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from olmv1.api.objects import StatusCondition
from olmv1.versions.admission import VERSION_LENGTH_LIMIT, VERSION_PATTERN
from tests.crds import PLURALS, crd, schema_of, version_of

KINDS = {
    "clustercatalogs": "ClusterCatalog",
    "clusterextensions": "ClusterExtension",
    "clusterobjectsets": "ClusterObjectSet",
}
COLUMNS = {
    "clustercatalogs": [
        ("LastUnpacked", "date", ".status.lastUnpacked"),
        ("Serving", "string", '.status.conditions[?(@.type=="Serving")].status'),
        ("Age", "date", ".metadata.creationTimestamp"),
    ],
    "clusterextensions": [
        ("Installed Bundle", "string", ".status.install.bundle.name"),
        ("Version", "string", ".status.install.bundle.version"),
        ("Installed", "string", ".status.conditions[?(@.type=='Installed')].status"),
        ("Progressing", "string", ".status.conditions[?(@.type=='Progressing')].status"),
        ("Age", "date", ".metadata.creationTimestamp"),
    ],
    "clusterobjectsets": [
        ("Available", "string", ".status.conditions[?(@.type=='Available')].status"),
        ("Progressing", "string", ".status.conditions[?(@.type=='Progressing')].status"),
        ("Age", "date", ".metadata.creationTimestamp"),
    ],
}


def places(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every named field of `schema`, with its path."""
    for name, child in schema.get("properties", {}).items():
        yield f"{path}.{name}".lstrip("."), child
        yield from places(child, f"{path}.{name}")
    if "items" in schema:
        yield from places(schema["items"], f"{path}[]")


def without_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` without its descriptions."""
    return {
        key: without_words(value) if isinstance(value, Mapping) else value
        for key, value in schema.items()
        if key != "description" or isinstance(value, Mapping)
    }


@pytest.mark.parametrize("plural", PLURALS)
def test_crd_has_the_names_of_its_kind(plural: str) -> None:
    found, kind = crd(plural), KINDS[plural]
    assert found["metadata"] == {
        "name": f"{plural}.olm.operatorframework.io",
        "annotations": {"olm.operatorframework.io/generator": "experimental"},
    }
    assert {key: found["spec"][key] for key in ("group", "scope", "names")} == {
        "group": "olm.operatorframework.io",
        "scope": "Cluster",
        "names": {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()},
    }


@pytest.mark.parametrize("plural", PLURALS)
def test_crd_serves_and_stores_one_version_with_status(plural: str) -> None:
    version = version_of(plural)
    assert {key: version[key] for key in ("name", "served", "storage", "subresources")} == {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
    }


@pytest.mark.parametrize("plural", PLURALS)
def test_crd_prints_the_columns_of_the_specification(plural: str) -> None:
    columns = version_of(plural)["additionalPrinterColumns"]
    usual = [column for column in columns if "priority" not in column]
    assert [(column["name"], column["type"], column["jsonPath"]) for column in usual] == COLUMNS[plural]


def test_readiness_of_an_extension_is_printed_on_demand() -> None:
    columns = version_of("clusterextensions")["additionalPrinterColumns"]
    wide = [(column["name"], column["jsonPath"]) for column in columns if column.get("priority") == 1]
    path = ".status.conditions[?(@.type=='Ready')]"
    assert wide == [("Ready", f"{path}.status"), ("Reason", f"{path}.reason")]


@pytest.mark.parametrize("plural", PLURALS)
def test_crd_explains_every_field(plural: str) -> None:
    silent = [path for path, field in places(schema_of(plural)) if not field.get("description")]
    assert silent == ["metadata"]


def test_conditions_are_the_same_everywhere() -> None:
    found = [
        without_words(field)
        for plural in PLURALS
        for path, field in places(schema_of(plural))
        if path.rpartition(".")[2] == "conditions"
    ]
    assert len(found) == 4
    assert all(field == found[0] for field in found)
    assert found[0]["x-kubernetes-list-map-keys"] == ["type"]
    assert found[0]["x-kubernetes-list-type"] == "map"
    assert set(found[0]["items"]["properties"]) == {field.alias for field in StatusCondition.model_fields.values()}


def test_version_rule_is_the_pattern_of_the_versions_room() -> None:
    catalog = schema_of("clusterextensions")["properties"]["spec"]["properties"]["source"]["properties"]["catalog"]
    version = catalog["properties"]["version"]
    pattern = VERSION_PATTERN.replace("\\", "\\\\")
    assert version["maxLength"] == VERSION_LENGTH_LIMIT
    assert version["x-kubernetes-validations"] == [
        {"rule": f'self.matches("{pattern}")', "message": "invalid version expression"}
    ]
