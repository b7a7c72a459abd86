"""Rule 8: two webhooks of one type cannot have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import WEBHOOKS, Finding, in_csv

__all__ = ["webhook_names_unique"]


def webhook_names_unique(bundle: Bundle) -> Iterator[Finding]:
    """One finding per repeated name, by type and name. Rule: bundle-rendering.md 8, rule 8."""
    counts = Counter((webhook["type"], webhook["generateName"]) for webhook in bundle.webhooks)
    for kind, name in sorted(entry for entry, count in counts.items() if count > 1):
        yield in_csv(bundle, f"duplicate webhook '{name}' of type '{kind}'", WEBHOOKS)
