"""Catalog content for the resolver: fetched from catalogd a package at a time, kept by digest in memory and on disk.

The reconciler asks `Catalogs.read`; a failing catalog becomes a value that the resolver weighs, never an exception.
`counts` and `unusable_reason` say which catalogs are asked; `olm` goes by them too.
"""

from operator_controller.catalogs.changes import ContentChanges
from operator_controller.catalogs.client import CatalogClient
from operator_controller.catalogs.counting import counts, unusable_reason
from operator_controller.catalogs.snapshots import Catalogs, Reading
from operator_controller.catalogs.store import PackageStore

__all__ = ["CatalogClient", "Catalogs", "ContentChanges", "PackageStore", "Reading", "counts", "unusable_reason"]
