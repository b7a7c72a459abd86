"""Kinds that only share their name with a kind that a bundle may carry."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import key_of, name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.kinds import GROUPS
from operator_controller.renderer.validators.finding import Finding, in_other

__all__ = ["resource_groups_supported"]


def resource_groups_supported(bundle: Bundle) -> Iterator[Finding]:
    """One finding per resource of a known kind and another group, in file order.

    An object without apiVersion is taken for what its kind says. Rule: bundle-rendering.md 15, row 15.
    """
    for index, manifest in enumerate(bundle.others):
        groups = GROUPS.get(manifest["kind"])
        if groups is not None and manifest.get("apiVersion") and key_of(manifest).group not in groups:
            text = (
                f'unsupported resource "{name_of(manifest)}" with kind "{manifest["kind"]}" of API group '
                f'"{key_of(manifest).group}"'
            )
            yield in_other(bundle, text, index)
