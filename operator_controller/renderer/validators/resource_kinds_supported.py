"""Rule 13: additional resources are of a kind that a bundle may carry."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.kinds import CLUSTER_SCOPED, NAMESPACED
from operator_controller.renderer.validators.finding import Finding, in_other

__all__ = ["resource_kinds_supported"]


def resource_kinds_supported(bundle: Bundle) -> Iterator[Finding]:
    """One finding per resource of another kind, in file order. Rule: bundle-rendering.md 8, rule 13."""
    for index, manifest in enumerate(bundle.others):
        if manifest["kind"] not in NAMESPACED | CLUSTER_SCOPED:
            words = f'unsupported resource "{name_of(manifest)}" with kind "{manifest["kind"]}"'
            yield in_other(bundle, words, index)
