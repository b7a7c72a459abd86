"""Catalog content for the resolver: fetched from catalogd a package at a time, kept by digest in memory and on disk.

The reconciler asks `Catalogs.contents`; a failing catalog becomes a value that the resolver weighs, never an exception.
"""

from operator_controller.catalogs.client import CatalogClient
from operator_controller.catalogs.snapshots import Catalogs
from operator_controller.catalogs.store import PackageStore

__all__ = ["CatalogClient", "Catalogs", "PackageStore"]
