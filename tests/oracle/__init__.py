"""The specification of resolution as a slow program of its own, to hold the resolver against."""

from __future__ import annotations

from tests.oracle.catalog import OracleCatalog, oracle_catalog, unusable, without_package
from tests.oracle.choice import Answer, Asking, Having, choose

__all__ = [
    "Answer",
    "Asking",
    "Having",
    "OracleCatalog",
    "choose",
    "oracle_catalog",
    "unusable",
    "without_package",
]
