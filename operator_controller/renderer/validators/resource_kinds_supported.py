"""Rule 13: additional resources are of a kind that a bundle may carry."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.kinds import CLUSTER_SCOPED, NAMESPACED

__all__ = ["resource_kinds_supported"]


def resource_kinds_supported(bundle: Bundle) -> Iterator[str]:
    """One finding per resource of another kind, in file order. Rule: bundle-rendering.md 8, rule 13."""
    for manifest in bundle.others:
        if manifest["kind"] not in NAMESPACED | CLUSTER_SCOPED:
            yield f'unsupported resource "{name_of(manifest)}" with kind "{manifest["kind"]}"'
