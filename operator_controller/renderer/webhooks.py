"""What the validators and generators read of the webhook entries of a CSV.

An entry is an encoded WebhookDescription: `generateName` and `type` are always there, everything else may be absent.
Rule: bundle-rendering.md 4.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle

__all__ = [
    "DEFAULT_PORT",
    "WebhookType",
    "converting_webhooks",
    "deployment_of",
    "of_type",
    "port_of",
    "served_deployments",
]

DEFAULT_PORT = 443  # the default of the CSV's own CRD and of the API server


class WebhookType(StrEnum):
    """What the API server asks a webhook for; entries of another type only get a Service and a certificate."""

    VALIDATING = "ValidatingAdmissionWebhook"
    MUTATING = "MutatingAdmissionWebhook"
    CONVERSION = "ConversionWebhook"


def of_type(bundle: Bundle, *types: WebhookType) -> Iterator[Manifest]:
    """The webhooks of these types, in the order of the CSV."""
    return (webhook for webhook in bundle.webhooks if webhook["type"] in types)


def converting_webhooks(bundle: Bundle) -> dict[str, Manifest]:
    """The conversion webhook of each CRD that one names, by the name of the CRD."""
    return {
        crd: webhook for webhook in of_type(bundle, WebhookType.CONVERSION) for crd in webhook.get("conversionCRDs", ())
    }


def deployment_of(webhook: Manifest) -> str:
    """The deployment that answers, or empty."""
    return str(webhook.get("deploymentName", ""))


def port_of(webhook: Manifest) -> int:
    """The port as it is given; 0 stands for an absent one. Rule: bundle-rendering.md 10.5, 10.8."""
    return int(webhook.get("containerPort", 0))


def served_deployments(bundle: Bundle) -> Iterator[tuple[str, list[Manifest]]]:
    """Each deployment that webhooks of any type name, with those webhooks; both in the order of the CSV."""
    for deployment in bundle.deployments:
        if webhooks := _answered_by(deployment.name, bundle.webhooks):
            yield deployment.name, webhooks


def _answered_by(deployment: str, webhooks: Iterable[Manifest]) -> list[Manifest]:
    return [webhook for webhook in webhooks if deployment_of(webhook) == deployment]
