"""What `olm simulate` needs: extensions of a file or the cluster, catalogs in pairs, the table of what comes of it.

Imported by the command only once it runs.
"""

from __future__ import annotations

from olm_cli.simulating.pairs import CatalogPairs, opened_pairs
from olm_cli.simulating.report import blocks_of
from olm_cli.simulating.subjects import Extensions, extensions_in_file, extensions_of_cluster

__all__ = [
    "CatalogPairs",
    "Extensions",
    "blocks_of",
    "extensions_in_file",
    "extensions_of_cluster",
    "opened_pairs",
]
