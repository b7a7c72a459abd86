"""File-based catalogs: documents → normalised blobs → packages.

Everything here is pure but `load`, `catalog_files` and `survey`, which read a disk. Used by catalogd (blobs), the
resolver and the `olm` command (packages). Blobs never pass through pydantic. What is wrong with a catalog is the
business of `validation`, which nobody needs to read one.
"""

from __future__ import annotations

from olmv1.fbc.blobs import blobs_of_file
from olmv1.fbc.catalog import Catalog, catalog_of
from olmv1.fbc.errors import FbcError
from olmv1.fbc.files import is_catalog_file, walk_order
from olmv1.fbc.ignore import IGNORE_FILE, IgnoreStack
from olmv1.fbc.model import (
    SCHEMA_BUNDLE,
    SCHEMA_CHANNEL,
    SCHEMA_DEPRECATIONS,
    SCHEMA_PACKAGE,
    Blob,
    Bundle,
    Channel,
    Deprecation,
    Entry,
    Package,
    Property,
    RelatedImage,
)
from olmv1.fbc.order import published_order
from olmv1.fbc.package import package_of, package_of_blobs
from olmv1.fbc.reading import load
from olmv1.fbc.walk import Survey, catalog_files, survey

__all__ = [
    "IGNORE_FILE",
    "SCHEMA_BUNDLE",
    "SCHEMA_CHANNEL",
    "SCHEMA_DEPRECATIONS",
    "SCHEMA_PACKAGE",
    "Blob",
    "Bundle",
    "Catalog",
    "Channel",
    "Deprecation",
    "Entry",
    "FbcError",
    "IgnoreStack",
    "Package",
    "Property",
    "RelatedImage",
    "Survey",
    "blobs_of_file",
    "catalog_files",
    "catalog_of",
    "is_catalog_file",
    "load",
    "package_of",
    "package_of_blobs",
    "published_order",
    "survey",
    "walk_order",
]
