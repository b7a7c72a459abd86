"""The typed view of a bundle that the renderer, the dependency checks and the rollout read.

Built by `parse_bundle` alone; mappings inside are never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from olmv1.manifests import Manifest

__all__ = ["Api", "Bundle", "Deployment", "Permission", "Property"]


class Property(NamedTuple):
    """One `{type, value}` pair; `value` is decoded JSON. Missing parts are empty text and null."""

    type: str
    value: object


@dataclass(frozen=True, slots=True, order=True)
class Api:
    """A kind that a bundle owns or needs."""

    group: str
    version: str
    kind: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """One entry of the install strategy; `spec` is an encoded apps/v1 DeploymentSpec."""

    name: str
    labels: Mapping[str, str]
    spec: Manifest


@dataclass(frozen=True, slots=True)
class Permission:
    """Rules for one service account (empty name: `default`); `rules` is `None` when the bundle gives none."""

    service_account: str
    rules: tuple[Manifest, ...] | None


@dataclass(frozen=True, slots=True)
class Bundle:
    """A registry+v1 bundle after loading and typed conversion.

    `package` comes from metadata/annotations.yaml, everything else from the ClusterServiceVersion (CSV) and the other
    manifests. `version` is the text of the CSV, for display only: the catalog's version counts.
    `annotations` are those of the CSV with the merged `olm.properties`, whose decoded members are `properties`.
    `install_modes` holds the supported types. `webhooks` are encoded WebhookDescriptions.
    `csv_path`, `crd_paths` and `other_paths` are the files of the CSV, `crds` and `others`, in their order; empty for a
    bundle that was not read from files.
    `owned_apis` begins with those of `owned_crds`, one each; `required_apis` are of CRDs, of API services, and those
    that the cluster itself must serve.
    `warnings` are findings that do not stop an installation.
    """

    package: str
    csv_name: str
    version: str = ""
    min_kube_version: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    install_modes: frozenset[str] = frozenset()
    deployments: tuple[Deployment, ...] = ()
    permissions: tuple[Permission, ...] = ()
    cluster_permissions: tuple[Permission, ...] = ()
    webhooks: tuple[Manifest, ...] = ()
    crds: tuple[Manifest, ...] = ()
    others: tuple[Manifest, ...] = ()
    csv_path: str = ""
    crd_paths: tuple[str, ...] = ()
    other_paths: tuple[str, ...] = ()
    owned_crds: tuple[str, ...] = ()
    owned_apis: tuple[Api, ...] = ()
    owned_api_services: tuple[Api, ...] = ()
    required_apis: tuple[Api, ...] = ()
    properties: tuple[Property, ...] = ()
    dependencies: tuple[Property, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def suggested_namespace(self) -> str:
        """Where the author would install the bundle, or empty; nothing here follows it."""
        return self.annotations.get("operatorframework.io/suggested-namespace", "")
