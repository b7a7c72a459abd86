from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from olmv1.api.cluster_catalog import ClusterCatalog
from olmv1.api.objects import LabelSelector, Metadata
from olmv1.errors import TerminalError
from olmv1.selectors import Operator, Requirement, Selector


def a_catalog(**spec: Any) -> dict[str, Any]:
    image = {"type": "Image", "image": {"ref": "registry.example/catalog:v1"}}
    return {"metadata": {"name": "team"}, "spec": {"source": image, **spec}}


def test_metadata_is_readable_from_the_object() -> None:
    catalog = ClusterCatalog.parse(
        {
            **a_catalog(),
            "metadata": {
                "name": "team",
                "uid": "u1",
                "resourceVersion": "7",
                "generation": 3,
                "labels": {"tier": "prod"},
                "annotations": {"note": "x"},
                "finalizers": ["a/b"],
                "creationTimestamp": "2026-01-01T00:00:05Z",
                "deletionTimestamp": "2026-01-02T00:00:05Z",
                "managedFields": [],
            },
        }
    )
    assert (catalog.name, catalog.uid, catalog.resource_version, catalog.generation) == ("team", "u1", "7", 3)
    assert (catalog.labels, catalog.annotations, catalog.finalizers) == ({"tier": "prod"}, {"note": "x"}, ("a/b",))
    assert catalog.creation_timestamp == datetime(2026, 1, 1, 0, 0, 5, tzinfo=UTC)
    assert catalog.deletion_timestamp == datetime(2026, 1, 2, 0, 0, 5, tzinfo=UTC)


def test_metadata_is_empty_before_the_api_server_fills_it() -> None:
    assert ClusterCatalog.parse(a_catalog()).metadata == Metadata(name="team")


def test_parse_ignores_unknown_fields_and_takes_null_as_absent() -> None:
    plain, odd = a_catalog(), a_catalog(priority=None, unknown=1)
    assert ClusterCatalog.parse({**odd, "status": None}) == ClusterCatalog.parse(plain)


def test_parse_does_not_change_the_manifest() -> None:
    manifest = a_catalog(priority=None)
    ClusterCatalog.parse(manifest)
    assert manifest == a_catalog(priority=None)


def test_parsed_object_cannot_be_changed() -> None:
    spec = ClusterCatalog.parse(a_catalog()).spec
    with pytest.raises(ValidationError, match="frozen"):
        spec.priority = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("manifest", "findings"),
    [
        pytest.param({"metadata": {"name": "team"}}, "spec: Field required", id="missing"),
        pytest.param(
            a_catalog(priority="5"), 'spec.priority: Input should be a valid integer, found "5"', id="no conversion"
        ),
        pytest.param(
            a_catalog(priority=True),
            "spec.priority: Input should be a valid integer, found true",
            id="bool is no number",
        ),
        pytest.param(
            a_catalog(availabilityMode="Off", priority=2**31),
            "spec.priority: Input should be less than or equal to 2147483647, found 2147483648; "
            "spec.availabilityMode: Input should be 'Available' or 'Unavailable', found \"Off\"",
            id="all of them",
        ),
        pytest.param(
            {**a_catalog(), "status": {"conditions": {"type": "Serving"}}},
            "status.conditions: Input should be a valid list, found an object",
            id="object for list",
        ),
        pytest.param(
            {**a_catalog(), "status": {"urls": [1, 2]}},
            "status.urls: Input should be a valid dictionary or instance of CatalogUrls, found a list of 2",
            id="list for object",
        ),
        pytest.param(
            {**a_catalog(), "status": {"conditions": [{"type": "x" * 400}]}},
            "status.conditions[0].type: String should have at most 316 characters, found "
            f'"{"x" * 79}…; status.conditions[0].status: Field required; status.conditions[0].reason: Field required; '
            "status.conditions[0].message: Field required; status.conditions[0].lastTransitionTime: Field required",
            id="long value is cut",
        ),
    ],
)
def test_parse_lists_every_finding(manifest: dict[str, Any], findings: str) -> None:
    with pytest.raises(TerminalError) as raised:
        ClusterCatalog.parse(manifest)
    assert str(raised.value) == f'ClusterCatalog "team" is invalid: {findings}'
    assert raised.value.reason == "Blocked"


def test_parse_refuses_another_kind() -> None:
    with pytest.raises(TerminalError, match=r"kind: Input should be 'ClusterCatalog', found .Deployment.$"):
        ClusterCatalog.parse({**a_catalog(), "kind": "Deployment"})


def test_selector_compiles_to_requirements() -> None:
    expression = {"key": "tier", "operator": "NotIn", "values": ["dev"]}
    selector = LabelSelector.model_validate({"matchLabels": {"team": "a"}, "matchExpressions": [expression]})
    assert selector.compile() == Selector(
        (
            Requirement("team", Operator.IN, frozenset({"a"})),
            Requirement("tier", Operator.NOT_IN, frozenset({"dev"})),
        )
    )


def test_selector_refuses_values_that_do_not_fit() -> None:
    selector = LabelSelector.model_validate({"matchExpressions": [{"key": "tier", "operator": "In"}]})
    with pytest.raises(ValueError, match=r'^values for key "tier": for operator In, at least one value is required$'):
        selector.compile()
