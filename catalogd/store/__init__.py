"""Catalog content on the volume: one directory per digest, published by renames, read through open snapshots.

`unpack` writes, `server` reads, `reconcilers` decide. Names inside a catalog never become file names here.
"""

from catalogd.store.errors import StoreError
from catalogd.store.manifest import ContentManifest
from catalogd.store.snapshot import ContentFile, Snapshot
from catalogd.store.store import Store
from catalogd.store.writer import ContentWriter, Counts, Origin

__all__ = ["ContentFile", "ContentManifest", "ContentWriter", "Counts", "Origin", "Snapshot", "Store", "StoreError"]
