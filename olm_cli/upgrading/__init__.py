"""What `olm check-upgrade` needs: the objects of a cluster or dump, the questions they ask, the answer for people.

Imported by the command only once it runs.
"""

from __future__ import annotations

from olm_cli.upgrading.bundles import subjects_of_bundles
from olm_cli.upgrading.dump import snapshot_of_dump
from olm_cli.upgrading.report import blocks_of
from olm_cli.upgrading.snapshot import Snapshot
from olm_cli.upgrading.subjects import subjects_of

__all__ = ["Snapshot", "blocks_of", "snapshot_of_dump", "subjects_of", "subjects_of_bundles"]
