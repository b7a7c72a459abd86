"""CRDs of the removed API version v1beta1, of which the typed conversion would leave an empty shell."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import key_of, name_of
from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding, in_crd

__all__ = ["crd_versions_supported"]

_VERSION = "v1"


def crd_versions_supported(bundle: Bundle) -> Iterator[Finding]:
    """One finding per CRD of another version, in file order. Rule: bundle-rendering.md 15, row 8."""
    for index, crd in enumerate(bundle.crds):
        if crd.get("apiVersion") and key_of(crd).version != _VERSION:
            text = f"CustomResourceDefinition {name_of(crd)} is {crd['apiVersion']}; only {_VERSION} is supported"
            yield in_crd(bundle, text, index)
