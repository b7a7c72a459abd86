"""ValidatingWebhookConfigurations and MutatingWebhookConfigurations.

Rule: bundle-rendering.md 10.8, 10.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import WebhookType, deployment_of, of_type, port_of

__all__ = ["mutating_webhooks", "validating_webhooks"]


def validating_webhooks(rendering: Rendering) -> Iterator[Manifest]:
    """One configuration per validating webhook, in the order of the CSV. Rule: bundle-rendering.md 10.8."""
    for webhook in of_type(rendering.bundle, WebhookType.VALIDATING):
        yield _configuration("ValidatingWebhookConfiguration", webhook, _entry(webhook, rendering), rendering)


def mutating_webhooks(rendering: Rendering) -> Iterator[Manifest]:
    """One configuration per mutating webhook, in the order of the CSV. Rule: bundle-rendering.md 10.9."""
    for webhook in of_type(rendering.bundle, WebhookType.MUTATING):
        entry = {**_entry(webhook, rendering), **_given(webhook, "reinvocationPolicy")}
        yield _configuration("MutatingWebhookConfiguration", webhook, entry, rendering)


def _configuration(kind: str, webhook: Manifest, entry: Manifest, rendering: Rendering) -> Manifest:
    certificate = ServingCertificate(deployment_of(webhook), rendering.install_namespace)
    metadata: dict[str, Any] = {"name": entry["name"], "namespace": rendering.install_namespace}
    if annotations := rendering.provider.client_annotations(certificate):
        metadata["annotations"] = dict(annotations)
    return {
        "kind": kind,
        "apiVersion": "admissionregistration.k8s.io/v1",
        "metadata": metadata,
        "webhooks": [entry],
    }


def _entry(webhook: Manifest, rendering: Rendering) -> dict[str, Any]:
    """The one webhook of a configuration, in the field order of its API type."""
    certificate = ServingCertificate(deployment_of(webhook), rendering.install_namespace)
    service = {
        "namespace": certificate.namespace,
        "name": certificate.service,
        **({"path": webhook["webhookPath"]} if "webhookPath" in webhook else {}),
        "port": port_of(webhook),
    }
    return {
        "name": webhook["generateName"].removesuffix("-"),
        "clientConfig": {"service": service},
        **_given(webhook, "rules", "failurePolicy", "matchPolicy"),
        **_namespace_selector(rendering),
        **_given(webhook, "objectSelector"),
        "sideEffects": webhook.get("sideEffects"),
        **_given(webhook, "timeoutSeconds"),
        "admissionReviewVersions": webhook.get("admissionReviewVersions"),
    }


def _given(webhook: Manifest, *names: str) -> dict[str, Any]:
    return {name: webhook[name] for name in names if name in webhook}


def _namespace_selector(rendering: Rendering) -> dict[str, Any]:
    if rendering.is_cluster_wide:
        return {}
    wanted = {
        "key": "kubernetes.io/metadata.name",
        "operator": "In",
        "values": list(rendering.target_namespaces),
    }
    return {"namespaceSelector": {"matchExpressions": [wanted]}}
