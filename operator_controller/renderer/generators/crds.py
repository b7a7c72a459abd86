"""The CRDs of a bundle."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.renderer.options import Rendering

__all__ = ["crds"]


def crds(rendering: Rendering) -> Iterator[Manifest]:
    """The CRDs in file order, in the form that the typed conversion gave them. Rule: bundle-rendering.md 10.5."""
    yield from rendering.bundle.crds
