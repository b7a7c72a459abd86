"""Bundles: registry+v1 files -> a typed view. Pure: holds every rule of loading, reads and applies nothing.

`parse_bundle` is the way in; the renderer takes its result. Rule: bundle-rendering.md 2 to 5.
"""

from __future__ import annotations

from operator_controller.bundle.errors import BundleError
from operator_controller.bundle.loader import parse_bundle
from operator_controller.bundle.model import Api, Bundle, Deployment, Permission, Property

__all__ = ["Api", "Bundle", "BundleError", "Deployment", "Permission", "Property", "parse_bundle"]
