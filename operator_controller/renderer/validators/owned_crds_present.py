"""Rule 4: a CRD that the CSV calls its own is in the bundle."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import name_of
from operator_controller.bundle import Bundle

__all__ = ["owned_crds_present"]


def owned_crds_present(bundle: Bundle) -> Iterator[str]:
    """One finding per missing CRD, sorted. Rule: bundle-rendering.md 8, rule 4."""
    for name in sorted(set(bundle.owned_crds) - set(map(name_of, bundle.crds))):
        yield f"cluster service definition references owned custom resource definition '{name}' not found in bundle"
