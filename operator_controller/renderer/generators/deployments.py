"""The Deployments of a bundle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.bundle import Deployment
from operator_controller.renderer.certificate_volumes import with_certificate_volumes
from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.deployment_config import configured
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import deployment_of

__all__ = ["deployments"]

_REVISION_HISTORY_LIMIT = 1


def deployments(rendering: Rendering) -> Iterator[Manifest]:
    """One Deployment per entry of the install strategy, in order. Rule: bundle-rendering.md 10.7."""
    for entry in rendering.bundle.deployments:
        deployment = _with_certificate(_deployment(entry, rendering), rendering)
        yield deployment if rendering.deployment_config is None else configured(deployment, rendering.deployment_config)


def _deployment(entry: Deployment, rendering: Rendering) -> Manifest:
    metadata: dict[str, Any] = {"name": entry.name, "namespace": rendering.install_namespace}
    if entry.labels:
        metadata["labels"] = entry.labels
    template = entry.spec["template"]
    annotations = {
        **rendering.bundle.annotations,
        **template["metadata"].get("annotations", {}),
        "olm.targetNamespaces": ",".join(rendering.target_namespaces),
        "olm.operatorNamespace": rendering.install_namespace,
    }
    return {
        "kind": "Deployment",
        "apiVersion": "apps/v1",
        "metadata": metadata,
        "spec": {
            **entry.spec,
            "template": {**template, "metadata": {**template["metadata"], "annotations": annotations}},
            "revisionHistoryLimit": _REVISION_HISTORY_LIMIT,
        },
        "status": {},
    }


def _with_certificate(deployment: Manifest, rendering: Rendering) -> Manifest:
    name = deployment["metadata"]["name"]
    if not rendering.provider.serves or name not in map(deployment_of, rendering.bundle.webhooks):
        return deployment
    spec = deployment["spec"]
    certificate = ServingCertificate(name, rendering.install_namespace)
    pod = with_certificate_volumes(spec["template"]["spec"], certificate.secret)
    return {**deployment, "spec": {**spec, "template": {**spec["template"], "spec": pod}}}
