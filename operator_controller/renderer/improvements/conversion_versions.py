"""Conversion webhooks without anything to convert. Rule: bundle-rendering.md 15, row 23."""

from __future__ import annotations

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import converting_webhooks

__all__ = ["conversion_versions"]


def conversion_versions(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """The objects as they are; a warning per converted CRD that has one version only."""
    converted = converting_webhooks(rendering.bundle)
    unneeded = [
        crd
        for crd in rendering.bundle.crds
        if name_of(crd) in converted and len(crd["spec"].get("versions") or ()) == 1
    ]
    return Improved(
        objects,
        tuple(
            f'conversion webhook "{converted[name_of(crd)]["generateName"]}" is not needed: '
            f'CustomResourceDefinition "{name_of(crd)}" has one version only'
            for crd in unneeded
        ),
    )
