"""The CRDs of a bundle, converted by its webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from olmv1.manifests import Manifest, annotations_of, name_of
from operator_controller.bundle import BundleError
from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import converting_webhooks, deployment_of, port_of

__all__ = ["crds"]


def crds(rendering: Rendering) -> Iterator[Manifest]:
    """The CRDs in file order, in the form that the typed conversion gave them.

    A CRD that a conversion webhook names is converted by it, whatever its author wrote.
    Raises: BundleError for a converted CRD that preserves unknown fields. Rule: bundle-rendering.md 10.5.
    """
    webhooks = converting_webhooks(rendering.bundle)
    for crd in rendering.bundle.crds:
        webhook = webhooks.get(name_of(crd))
        yield crd if webhook is None else _converted(crd, webhook, rendering)


def _converted(crd: Manifest, webhook: Manifest, rendering: Rendering) -> Manifest:
    if crd["spec"].get("preserveUnknownFields"):
        raise BundleError(
            f"custom resource definition '{name_of(crd)}' must have .spec.preserveUnknownFields set to false to let "
            "API Server call webhook to do the conversion"
        )
    certificate = ServingCertificate(deployment_of(webhook), rendering.install_namespace)
    service = {
        "namespace": certificate.namespace,
        "name": certificate.service,
        "path": webhook.get("webhookPath", "/"),
        "port": port_of(webhook),
    }
    conversion = {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"service": service},
            "conversionReviewVersions": webhook.get("admissionReviewVersions"),
        },
    }
    metadata: dict[str, Any] = dict(crd["metadata"])
    if added := rendering.provider.client_annotations(certificate):
        metadata["annotations"] = {**annotations_of(crd), **added}
    return {**crd, "metadata": metadata, "spec": {**crd["spec"], "conversion": conversion}}
