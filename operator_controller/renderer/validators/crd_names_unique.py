"""Rule 3: two CRDs of a bundle cannot have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from olmv1.manifests import name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding, in_crd

__all__ = ["crd_names_unique"]


def crd_names_unique(bundle: Bundle) -> Iterator[Finding]:
    """One finding per repeated name, sorted. Rule: bundle-rendering.md 8, rule 3."""
    counts = Counter(map(name_of, bundle.crds))
    for name in sorted(name for name, count in counts.items() if count > 1):
        indexes = [index for index, crd in enumerate(bundle.crds) if name_of(crd) == name]
        yield in_crd(bundle, f"bundle contains duplicate custom resource definition '{name}'", *indexes)
