"""Requirement properties, which nothing evaluates yet: a bundle that has one is refused.

The next best bundle is not tried, so that nothing hidden steers the result. Rule: resolution.md 6 and 7, row 8.
"""

from __future__ import annotations

from olmv1.fbc import Bundle

__all__ = ["unsupported_requirement"]

_UNSUPPORTED = frozenset({"olm.package.required", "olm.gvk.required", "olm.constraint"})


def unsupported_requirement(bundle: Bundle) -> str | None:
    """The type of the first property that declares a requirement; `None` when there is none."""
    return next((found.type for found in bundle.properties if found.type in _UNSUPPORTED), None)
