"""Rule 4: a CRD that the CSV calls its own is in the bundle."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding, in_csv

__all__ = ["owned_crds_present"]


def owned_crds_present(bundle: Bundle) -> Iterator[Finding]:
    """One finding per missing CRD, sorted. Rule: bundle-rendering.md 8, rule 4."""
    for name in sorted(set(bundle.owned_crds) - set(map(name_of, bundle.crds))):
        words = f"cluster service definition references owned custom resource definition '{name}' not found in bundle"
        yield in_csv(bundle, words, f"spec.customresourcedefinitions.owned[{bundle.owned_crds.index(name)}]")
