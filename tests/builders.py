"""Values that tests of the operator-controller start from; every part has a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from operator_controller.revisions.desired import BundleIdentity, Rollout
from operator_controller.revisions.view import RevisionView


def a_bundle(version: str = "1.0.0", *, image: str | None = None, catalog: str | None = "lights") -> BundleIdentity:
    return BundleIdentity(
        "lantern", f"lantern.v{version}", version, None, image or f"registry.example.com/lantern:{version}", catalog
    )


def a_condition(type_: str, status: str = "True", reason: str = "Succeeded", message: str = "") -> dict[str, Any]:
    return {
        "type": type_,
        "status": status,
        "reason": reason,
        "message": message,
        "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }


def a_view(
    number: int = 1,
    version: str = "1.0.0",
    *,
    has_succeeded: bool = True,
    is_active: bool = True,
    progressing: Mapping[str, Any] | None = None,
    available: Mapping[str, Any] | None = None,
    image: str | None = None,
    inputs: str = "sha256:0",
) -> RevisionView:
    return RevisionView(
        name=f"lantern-{number}",
        uid=f"uid-{number}",
        number=number,
        bundle=a_bundle(version, image=image),
        inputs=inputs,
        account=("lantern-system", "installer"),
        deadline_min=None,
        is_active=is_active,
        has_succeeded=has_succeeded,
        progressing=progressing,
        annotations={},
        available=available,
    )


def a_rollout(version: str = "1.0.0", **changes: Any) -> Rollout:
    fields: dict[str, Any] = {
        "extension": "lantern",
        "extension_uid": "uid-ext",
        "bundle": a_bundle(version),
        "account": ("lantern-system", "installer"),
        "inputs": "sha256:0",
        "properties": None,
        "deadline_min": None,
    }
    return Rollout(**{**fields, **changes})


def an_object(kind: str = "ConfigMap", name: str = "thing", api_version: str = "v1", **parts: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "lantern-system", **parts.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}


def an_extension(**spec: Any) -> dict[str, Any]:
    """A ClusterExtension as the API server returns it; `spec` entries replace the defaults, `catalog` is merged."""
    catalog = {"packageName": "lantern", "upgradeConstraintPolicy": "CatalogProvided", **spec.pop("catalog", {})}
    fields = {
        "namespace": "lantern-system",
        "serviceAccount": {"name": "installer"},
        "source": {"sourceType": "Catalog", "catalog": catalog},
        **spec,
    }
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {"name": "lantern", "uid": "uid-ext", "generation": 2},
        "spec": {key: value for key, value in fields.items() if value is not None},
    }


_BUNDLE_ANNOTATIONS = {
    "olm.operatorframework.io/bundle-name": "lantern.v1.0.0",
    "olm.operatorframework.io/bundle-version": "1.0.0",
}


def an_object_set(
    number: int = 1,
    *,
    conditions: Sequence[Mapping[str, Any]] = (),
    annotations: Mapping[str, str] | None = None,
    state: str = "Active",
    **spec: Any,
) -> dict[str, Any]:
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "metadata": {
            "name": f"lantern-{number}",
            "uid": f"uid-{number}",
            "generation": 1,
            "resourceVersion": "7",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"olm.operatorframework.io/owner-name": "lantern"},
            "annotations": dict(annotations or _BUNDLE_ANNOTATIONS),
        },
        "spec": {"lifecycleState": state, "revision": number, "collisionProtection": "Prevent", **spec},
        "status": {"conditions": list(conditions)} if conditions else {},
    }
