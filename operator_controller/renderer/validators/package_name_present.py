"""Rule 5: the bundle says to which package it belongs."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle

__all__ = ["package_name_present"]


def package_name_present(bundle: Bundle) -> Iterator[str]:
    """One finding when metadata/annotations.yaml names no package. Rule: bundle-rendering.md 8, rule 5."""
    if not bundle.package:
        yield "package name is empty"
