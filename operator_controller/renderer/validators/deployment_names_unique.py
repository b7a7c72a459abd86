"""Rule 1: two deployments of a bundle cannot have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import DEPLOYMENTS, Finding, in_csv

__all__ = ["deployment_names_unique"]


def deployment_names_unique(bundle: Bundle) -> Iterator[Finding]:
    """One finding per repeated name, sorted. Rule: bundle-rendering.md 8, rule 1."""
    counts = Counter(deployment.name for deployment in bundle.deployments)
    for name in sorted(name for name, count in counts.items() if count > 1):
        words = f"cluster service version contains duplicate strategy deployment spec '{name}'"
        yield in_csv(bundle, words, DEPLOYMENTS)
