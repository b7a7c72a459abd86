from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from olmv1.api.cluster_catalog import ClusterCatalog

REF = "registry.example/team/catalog@sha256:" + "0f" * 32


def a_catalog(spec: dict[str, Any], **rest: Any) -> dict[str, Any]:
    image = {"ref": "registry.example/team/catalog:v1", **spec.pop("image", {})}
    return {"metadata": {"name": "team"}, "spec": {"source": {"type": "Image", "image": image}, **spec}, **rest}


def test_catalog_shows_its_spec() -> None:
    manifest = a_catalog({"image": {"pollIntervalMinutes": 15}, "priority": -5, "availabilityMode": "Unavailable"})
    spec = ClusterCatalog.parse(manifest).spec
    assert (spec.source.image.ref, spec.source.image.poll_interval_minutes) == ("registry.example/team/catalog:v1", 15)
    assert (spec.priority, spec.availability_mode) == (-5, "Unavailable")


def test_catalog_has_defaults_for_what_is_absent() -> None:
    catalog = ClusterCatalog.parse(a_catalog({}))
    assert catalog.spec.source.image.poll_interval_minutes is None
    assert (catalog.spec.priority, catalog.spec.availability_mode) == (0, "Available")
    assert (catalog.status.conditions, catalog.status.resolved_source) == ((), None)
    assert (catalog.status.urls, catalog.status.last_unpacked) == (None, None)


def test_catalog_shows_its_status() -> None:
    condition = {
        "type": "Serving",
        "status": "True",
        "reason": "Available",
        "message": "",
        "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:12Z",
    }
    served = {
        "conditions": [condition],
        "resolvedSource": {"type": "Image", "image": {"ref": REF}},
        "urls": {"base": "https://catalogd-service.olmv1-system.svc/catalogs/team"},
        "lastUnpacked": "2026-01-01T00:00:11Z",
    }
    status = ClusterCatalog.parse(a_catalog({}, status=served)).status
    assert status.model_dump(by_alias=True, mode="json") == {
        **served,
        "conditions": [{**condition}],
    }
    assert status.last_unpacked == datetime(2026, 1, 1, 0, 0, 11, tzinfo=UTC)
