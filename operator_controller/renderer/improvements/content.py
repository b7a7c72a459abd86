"""A bundle that installs nothing. Rule: bundle-rendering.md 15, row 14."""

from __future__ import annotations

from olmv1.manifests import Manifest
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.options import Rendering

__all__ = ["content"]


def content(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """The objects as they are, and a warning when there are none."""
    if objects:
        return Improved(objects)
    text = f'bundle "{rendering.bundle.csv_name}" installs nothing: it has no deployments, no CRDs and no other objects'
    return Improved(objects, (text,))
