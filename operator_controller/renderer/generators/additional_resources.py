"""The other objects that a bundle carries."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.renderer.kinds import NAMESPACED
from operator_controller.renderer.options import Rendering

__all__ = ["additional_resources"]


def additional_resources(rendering: Rendering) -> Iterator[Manifest]:
    """The additional resources in file order, namespaced kinds moved to the install namespace, nothing else touched.

    Rule: bundle-rendering.md 10.6.
    """
    for manifest in rendering.bundle.others:
        if manifest["kind"] in NAMESPACED:
            metadata = {**(manifest.get("metadata") or {}), "namespace": rendering.install_namespace}
            yield {**manifest, "metadata": metadata}
        else:
            yield manifest
