"""Rule 5: the bundle says to which package it belongs."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding

__all__ = ["package_name_present"]


def package_name_present(bundle: Bundle) -> Iterator[Finding]:
    """One finding when metadata/annotations.yaml names no package. Rule: bundle-rendering.md 8, rule 5."""
    if not bundle.package:
        yield Finding("package name is empty", "metadata/annotations.yaml")
