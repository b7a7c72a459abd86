"""What the renderer uses of a ClusterServiceVersion (CSV).

Called by the loader with the typed form, in which every field without an omission flag is present.
Rule: bundle-rendering.md 4.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from olmv1.manifests import Manifest, annotations_of, name_of
from operator_controller.bundle.model import Api, Bundle, Deployment, Permission

__all__ = ["view_of_csv"]


def view_of_csv(csv: Manifest) -> Bundle:
    """A bundle with everything that comes from the CSV alone."""
    spec = csv["spec"]
    strategy = spec["install"]["spec"]
    crds, services = spec["customresourcedefinitions"], spec["apiservicedefinitions"]
    owned_services = _service_apis(services.get("owned", ()))
    return Bundle(
        package="",
        csv_name=name_of(csv),
        version=spec.get("version", ""),
        min_kube_version=spec.get("minKubeVersion", ""),
        annotations=annotations_of(csv),
        install_modes=frozenset(mode["type"] for mode in spec.get("installModes", ()) if mode["supported"]),
        deployments=tuple(
            Deployment(entry["name"], entry.get("label", {}), entry["spec"]) for entry in strategy["deployments"] or ()
        ),
        permissions=_permissions(strategy.get("permissions", ())),
        cluster_permissions=_permissions(strategy.get("clusterPermissions", ())),
        webhooks=tuple(spec.get("webhookdefinitions", ())),
        owned_crds=tuple(crd["name"] for crd in crds.get("owned", ())),
        owned_apis=(*_crd_apis(crds.get("owned", ())), *owned_services),
        owned_api_services=owned_services,
        required_apis=(
            *_crd_apis(crds.get("required", ())),
            *_service_apis(services.get("required", ())),
            *_service_apis(spec.get("nativeAPIs", ())),
        ),
    )


def _permissions(entries: Iterable[Manifest]) -> tuple[Permission, ...]:
    return tuple(
        Permission(entry["serviceAccountName"], None if entry["rules"] is None else tuple(entry["rules"]))
        for entry in entries
    )


def _crd_apis(entries: Iterable[Manifest]) -> tuple[Api, ...]:
    """A CRD is named `<plural>.<group>`."""
    return tuple(Api(_group(entry["name"]), entry["version"], entry["kind"]) for entry in entries)


def _group(crd_name: str) -> str:
    return crd_name.partition(".")[2]


def _service_apis(entries: Iterable[dict[str, Any]]) -> tuple[Api, ...]:
    return tuple(Api(entry["group"], entry["version"], entry["kind"]) for entry in entries)
