"""Rule 11: a bundle converts only CRDs that its CSV calls its own."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import WEBHOOKS, Finding, in_csv
from operator_controller.renderer.webhooks import WebhookType, of_type

__all__ = ["conversion_crds_owned"]


def conversion_crds_owned(bundle: Bundle) -> Iterator[Finding]:
    """One finding per webhook and CRD, sorted. Rule: bundle-rendering.md 8, rule 11."""
    found = {
        (webhook["generateName"], crd)
        for webhook in of_type(bundle, WebhookType.CONVERSION)
        for crd in webhook.get("conversionCRDs", ())
        if crd not in bundle.owned_crds
    }
    for name, crd in sorted(found):
        # sic: the reference's text
        words = f"conversion webhook '{name}' references custom resource definition '{crd}' not owned bundle"
        yield in_csv(bundle, words, WEBHOOKS)
