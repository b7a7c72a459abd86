"""Rule 9: the name of a webhook is a DNS-1123 subdomain."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.dns1123 import subdomain_findings
from operator_controller.renderer.validators.finding import WEBHOOKS, Finding, in_csv

__all__ = ["webhook_names_valid"]


def webhook_names_valid(bundle: Bundle) -> Iterator[Finding]:
    """One finding per type and name, sorted. Rule: bundle-rendering.md 8, rule 9."""
    for kind, name in sorted({(webhook["type"], webhook["generateName"]) for webhook in bundle.webhooks}):
        if findings := subdomain_findings(name):
            words = f"webhook of type '{kind}' has invalid name '{name}': {','.join(findings)}"
            yield in_csv(bundle, words, WEBHOOKS)
