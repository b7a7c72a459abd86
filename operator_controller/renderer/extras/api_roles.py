"""Roles for the users of the APIs that a bundle provides, as classic OLM makes them.

Rule: decision 15; bundle-rendering.md 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.options import Rendering

__all__ = ["api_roles"]

_RBAC_VERSION = "rbac.authorization.k8s.io/v1"
_AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-"


@dataclass(frozen=True, slots=True)
class _Sort:
    """One of the four roles; `aggregated_to` is the role of Kubernetes that takes its rules over."""

    suffix: str
    verbs: tuple[str, ...]
    aggregated_to: str
    is_on_crd: bool = False


_SORTS = (
    _Sort("admin", ("*",), "admin"),
    _Sort("edit", ("create", "update", "patch", "delete"), "edit"),
    _Sort("view", ("get", "list", "watch"), "view"),
    _Sort("crdview", ("get",), "view", is_on_crd=True),
)


def api_roles(rendering: Rendering) -> Iterator[Manifest]:
    """Four ClusterRoles per owned CRD and version, `<crd>-<version>-admin|edit|view|crdview`, where they are asked for.

    Roles of cluster-scoped resources are not aggregated: who may do everything in a namespace gets no rights outside.
    """
    if not rendering.has_api_roles:
        return
    bundle = rendering.bundle
    crds = {name_of(crd): crd for crd in bundle.crds}
    owned = zip(bundle.owned_crds, bundle.owned_apis, strict=False)
    for name, version in dict.fromkeys((name, api.version) for name, api in owned):
        if name in crds:
            for sort in _SORTS:
                yield _role(sort, crds[name], version)


def _role(sort: _Sort, crd: Manifest, version: str) -> Manifest:
    spec = crd["spec"]
    metadata: dict[str, Any] = {"name": f"{name_of(crd)}-{version}-{sort.suffix}"}
    if spec["scope"] != "Cluster":
        metadata["labels"] = {f"{_AGGREGATE}{sort.aggregated_to}": "true"}
    rule: dict[str, Any] = {
        "verbs": list(sort.verbs),
        "apiGroups": [spec["group"]],
        "resources": [spec["names"]["plural"]],
    }
    if sort.is_on_crd:
        rule |= {
            "apiGroups": ["apiextensions.k8s.io"],
            "resources": ["customresourcedefinitions"],
            "resourceNames": [name_of(crd)],
        }
    return {"kind": "ClusterRole", "apiVersion": _RBAC_VERSION, "metadata": metadata, "rules": [rule]}
