"""Kubernetes manifests as raw mappings, and the few views of them that every room needs.

A manifest is parsed once and stays raw from bundle to cluster, so unknown fields survive. Nothing here changes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Manifest", "ObjectKey", "annotations_of", "is_deleting", "key_of", "labels_of", "name_of", "uid_of"]

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class ObjectKey:
    """Identity of one object on a cluster; `namespace` is empty for cluster-scoped objects."""

    group: str
    version: str
    kind: str
    namespace: str
    name: str

    @property
    def api_version(self) -> str:
        """`<group>/<version>`, or only the version for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        """`Deployment.apps/v1 shop/till` (cluster-scoped: `/till`), as reports print it. Rule: revisions.md 5.6."""
        return f"{self.kind}.{self.api_version} {self.namespace}/{self.name}"


def key_of(manifest: Manifest) -> ObjectKey:
    """The identity of a manifest or object; missing parts are empty."""
    group, _, version = str(manifest.get("apiVersion") or "").rpartition("/")
    metadata = manifest.get("metadata") or {}
    return ObjectKey(
        group, version, str(manifest.get("kind") or ""), metadata.get("namespace") or "", metadata.get("name") or ""
    )


def name_of(manifest: Manifest) -> str:
    """`metadata.name`, or empty."""
    return str((manifest.get("metadata") or {}).get("name") or "")


def uid_of(manifest: Manifest) -> str:
    """`metadata.uid`, or empty."""
    return str((manifest.get("metadata") or {}).get("uid") or "")


def labels_of(manifest: Manifest) -> Mapping[str, str]:
    """`metadata.labels`, or an empty mapping."""
    return (manifest.get("metadata") or {}).get("labels") or {}


def annotations_of(manifest: Manifest) -> Mapping[str, str]:
    """`metadata.annotations`, or an empty mapping."""
    return (manifest.get("metadata") or {}).get("annotations") or {}


def is_deleting(manifest: Manifest) -> bool:
    """Whether the API server has been asked to delete the object."""
    return bool((manifest.get("metadata") or {}).get("deletionTimestamp"))
