"""Rule 12: admission webhooks cannot stand between the cluster and its own extension machinery."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.api.names import GROUP
from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding, in_webhook
from operator_controller.renderer.webhooks import WebhookType, of_type

__all__ = ["admission_rules_allowed"]

_ADMISSION_GROUP = "admissionregistration.k8s.io"
_FORBIDDEN_GROUPS = frozenset({"*", GROUP})
_FORBIDDEN_RESOURCES = frozenset(
    {
        "*",
        "mutatingwebhookconfiguration",
        "mutatingwebhookconfigurations",
        "validatingwebhookconfiguration",
        "validatingwebhookconfigurations",
    }
)


def admission_rules_allowed(bundle: Bundle) -> Iterator[Finding]:
    """One finding per forbidden group or resource, in the order of the CSV. Rule: bundle-rendering.md 8, rule 12."""
    for webhook in of_type(bundle, WebhookType.VALIDATING, WebhookType.MUTATING):
        for rule in webhook.get("rules", ()):
            for finding in _findings(rule):
                words = (
                    f'webhook "{webhook["generateName"]}" contains forbidden rule: admission webhook rules cannot '
                    f"reference {finding}"
                )
                yield in_webhook(bundle, words, webhook)


def _findings(rule: Manifest) -> Iterator[str]:
    for group in rule.get("apiGroups", ()):
        if group in _FORBIDDEN_GROUPS:
            yield f'API group "{group}"'
        if group == _ADMISSION_GROUP:
            for resource in rule.get("resources", ()):
                if resource.lower() in _FORBIDDEN_RESOURCES:
                    yield f'resource "{resource}" for API group "{group}"'
