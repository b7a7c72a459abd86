"""The models and the CRDs say the same: names, types, enums, defaults, bounds and what is required.

Both schemas are walked alike, and every place becomes one line of facts. What may differ stands in the tables below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from olmv1.api.cluster_catalog import ClusterCatalog
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.cluster_object_set import ClusterObjectSet
from olmv1.api.objects import ApiObject
from tests.crds import schema_of

MODELS: Mapping[str, type[ApiObject]] = {
    "clustercatalogs": ClusterCatalog,
    "clusterextensions": ClusterExtension,
    "clusterobjectsets": ClusterObjectSet,
}
PLAIN_FACTS = (
    "type",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
)
# Required in the model because a CEL rule requires it where the schema cannot (a union with one member), or because
# nothing can be done without it; `metadata` is required by the API server itself.
REQUIRED_BY_RULE = {
    "clustercatalogs": {"spec.source": {"image"}},
    "clusterextensions": {
        "": {"metadata", "spec"},
        "spec.source": {"catalog"},
        "spec.config": {"inline"},
        "spec.install": {"preflight"},
    },
    "clusterobjectsets": {"": {"metadata"}},
}
# An absent and an empty account mean the same to us; only the API server refuses the empty one.
ONLY_IN_CRD = {("clusterextensions", "spec.serviceAccount", "minProperties")}
# Formats that only say how wide an integer is: the bounds are compared instead.
WIDTHS = ("int32", "int64")


def facts_of(schema: Mapping[str, Any], defs: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, Any]]:
    """(path, fact, value) for `schema` and everything below it."""
    schema = resolved(schema, defs)
    yield from ((path, fact, schema[fact]) for fact in PLAIN_FACTS if schema.get(fact) not in (None, *WIDTHS))
    if allowed := schema.get("enum") or ([schema["const"]] if "const" in schema else []):
        yield path, "enum", tuple(sorted(allowed))
    if schema.get("default") not in (None, "", [], {}):
        yield path, "default", schema["default"]
    yield path, "required", frozenset(schema.get("required", ()))
    yield (
        path,
        "open",
        bool(schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("additionalProperties") is True),
    )
    for name, child in schema.get("properties", {}).items():
        yield from facts_of(child, defs, f"{path}.{name}".lstrip("."))
    if "items" in schema:
        yield from facts_of(schema["items"], defs, f"{path}[]")
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield from facts_of(schema["additionalProperties"], defs, f"{path}{{}}")


def resolved(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    """`schema` without the forms that only pydantic writes: references, and `anyOf` with null for optional fields."""
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return resolved({**defs[schema["$ref"].rpartition("/")[2]], **rest}, defs)
    if "anyOf" in schema:
        (some,) = (part for part in schema["anyOf"] if part != {"type": "null"})
        return resolved(some, defs)
    return schema


def is_compared(path: str) -> bool:
    """Every model is open about `metadata` and knows its own kind: the CRDs leave both to the API server."""
    return path.partition(".")[0] not in {"metadata", "apiVersion", "kind"}


def facts_of_crd(plural: str) -> set[tuple[str, str, Any]]:
    facts = {fact for fact in facts_of(schema_of(plural), {}, "") if is_compared(fact[0])}
    required = REQUIRED_BY_RULE[plural]
    return {
        (path, fact, value | required.get(path, set()) if fact == "required" else value)
        for path, fact, value in facts
        if (plural, path, fact) not in ONLY_IN_CRD
    }


def facts_of_model(plural: str) -> set[tuple[str, str, Any]]:
    schema = MODELS[plural].model_json_schema(by_alias=True)
    return {fact for fact in facts_of(schema, schema["$defs"], "") if is_compared(fact[0])}


@pytest.mark.parametrize("plural", MODELS)
def test_model_says_the_same_as_its_crd(plural: str) -> None:
    crd, model = facts_of_crd(plural), facts_of_model(plural)
    assert {"only in the CRD": sorted(crd - model, key=str), "only in the model": sorted(model - crd, key=str)} == {
        "only in the CRD": [],
        "only in the model": [],
    }


@pytest.mark.parametrize("plural", MODELS)
def test_walk_sees_the_whole_crd(plural: str) -> None:
    """Guards the test above: a walk that stops early would agree with anything."""
    seen = {path for path, _, _ in facts_of_crd(plural)}
    assert {"spec", "status", "status.conditions[].message"} <= seen
    assert len(seen) >= {"clustercatalogs": 20, "clusterextensions": 40, "clusterobjectsets": 50}[plural]
