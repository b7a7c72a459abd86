"""Cluster-scoped objects have no namespace, namespaced ones always have. Rule: bundle-rendering.md 15, row 13."""

from __future__ import annotations

from typing import Any

from olmv1.manifests import Manifest
from operator_controller.renderer.improvements.improved import Improved, for_each
from operator_controller.renderer.kinds import CLUSTER_SCOPED
from operator_controller.renderer.options import Rendering

__all__ = ["scope"]

_NAMESPACED_IN_TRUTH = "VerticalPodAutoscaler"
_CLUSTER_SCOPED = (CLUSTER_SCOPED - {_NAMESPACED_IN_TRUTH}) | {
    "CustomResourceDefinition",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
}


def scope(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """The namespace is taken off cluster-scoped objects, and a VerticalPodAutoscaler gets the install namespace.

    The API server would drop the one; the other it would refuse, or find in the author's own namespace.
    """

    def scoped(manifest: Manifest) -> Manifest:
        metadata: dict[str, Any] = dict(manifest.get("metadata") or {})
        if manifest["kind"] == _NAMESPACED_IN_TRUTH:
            metadata["namespace"] = rendering.install_namespace
        elif manifest["kind"] in _CLUSTER_SCOPED:
            metadata.pop("namespace", None)
        return manifest if metadata == manifest.get("metadata") else {**manifest, "metadata": metadata}

    return for_each(objects, scoped)
