"""Rule 10: one webhook converts a CRD."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import WEBHOOKS, Finding, in_csv
from operator_controller.renderer.webhooks import WebhookType, of_type

__all__ = ["conversion_crds_unique"]


def conversion_crds_unique(bundle: Bundle) -> Iterator[Finding]:
    """One finding per CRD that is named more than once, sorted; a webhook that repeats it is named as often.

    Rule: bundle-rendering.md 8, rule 10.
    """
    names = defaultdict(list)
    for webhook in of_type(bundle, WebhookType.CONVERSION):
        for crd in webhook.get("conversionCRDs", ()):
            names[crd].append(webhook["generateName"])
    for crd in sorted(crd for crd, webhooks in names.items() if len(webhooks) > 1):
        joined = ",".join(sorted(names[crd]))
        words = f"conversion webhooks [{joined}] reference same custom resource definition '{crd}'"
        yield in_csv(bundle, words, WEBHOOKS)
