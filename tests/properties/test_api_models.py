"""Whatever stands in a manifest, a model either shows it or says what is wrong with it."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.api.cluster_catalog import ClusterCatalog
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.cluster_object_set import ClusterObjectSet
from olmv1.api.objects import ApiObject
from olmv1.errors import TerminalError
from tests.crds import schema_of

MODELS: dict[str, type[ApiObject]] = {
    "clustercatalogs": ClusterCatalog,
    "clusterextensions": ClusterExtension,
    "clusterobjectsets": ClusterObjectSet,
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=6,
)


def manifests(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Objects shaped like `schema`, with something else in any place now and then."""
    if "properties" in schema:
        fields = {name: manifests(child) for name, child in schema["properties"].items()}
        shaped: st.SearchStrategy[Any] = st.fixed_dictionaries({}, optional=fields)
    elif "items" in schema:
        shaped = st.lists(manifests(schema["items"]), max_size=2)
    elif "enum" in schema:
        shaped = st.sampled_from(schema["enum"])
    else:
        shaped = {"string": st.text(max_size=8), "integer": st.integers(0, 800)}.get(schema.get("type", ""), ANYTHING)
    return st.one_of(shaped, shaped, shaped, ANYTHING)


SPECS = {plural: manifests(schema_of(plural)["properties"]["spec"]) for plural in MODELS}


@pytest.mark.parametrize("plural", MODELS)
@settings(max_examples=24, deadline=None, derandomize=True)
@given(data=st.data())
def test_parse_shows_a_manifest_or_says_what_is_wrong(plural: str, data: st.DataObject) -> None:
    manifest = {"metadata": {"name": "x"}, "spec": data.draw(SPECS[plural])}
    before = copy.deepcopy(manifest)
    assert re.fullmatch(rf'x|{MODELS[plural].__name__} "x" is invalid: spec[^\n]*', name_or_finding(plural, manifest))
    assert manifest == before


def name_or_finding(plural: str, manifest: dict[str, Any]) -> str:
    try:
        return MODELS[plural].parse(manifest).name
    except TerminalError as error:
        return str(error)
