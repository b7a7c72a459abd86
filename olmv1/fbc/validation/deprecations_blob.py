"""One `olm.deprecations` blob. Rule: fbc.md 7 and 9."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.fbc.model import Deprecation
from olmv1.fbc.validation.facts import DeprecationsFacts, Spot

__all__ = ["read_deprecations"]


def read_deprecations(fields: Mapping[str, Any], spot: Spot) -> DeprecationsFacts:
    """The facts of the blob; its faults show when all channels and bundles are known."""
    entries = []
    for each in fields.get("entries", ()):
        reference = each.get("reference", {})
        entries.append(Deprecation(reference.get("schema", ""), reference.get("name", ""), each.get("message", "")))
    return DeprecationsFacts(fields.get("package", ""), tuple(entries), spot)
