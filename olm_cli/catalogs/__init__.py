"""Catalogs to look into, wherever they are: directory, file, image, the cluster, a catalogd.

`opened` gives `Catalog`s; `read_package` and `read_packages` ask all of them at once. What their content means is
decided in `olmv1.fbc` and the resolver.
"""

from __future__ import annotations

from olm_cli.catalogs.catalog import Catalog
from olm_cli.catalogs.opening import opened
from olm_cli.catalogs.reading import Read, Unread, read_package, read_packages

__all__ = ["Catalog", "Read", "Unread", "opened", "read_package", "read_packages"]
