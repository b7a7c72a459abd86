"""The annotations of approval."""

from __future__ import annotations

from typing import Final

from olmv1.api.names import EXTRAS_PREFIX

__all__ = ["ANNOTATION_APPROVE", "ANNOTATION_APPROVED", "ANNOTATION_UPGRADE_POLICY"]

ANNOTATION_UPGRADE_POLICY: Final = f"{EXTRAS_PREFIX}upgrade-policy"
"""On a ClusterExtension: `Auto` (default), `ZStream` or `Manual`."""

ANNOTATION_APPROVE: Final = f"{EXTRAS_PREFIX}approve"
"""On a ClusterExtension: the hash of the plan that may be carried out."""

ANNOTATION_APPROVED: Final = f"{EXTRAS_PREFIX}approved"
"""On a ClusterObjectSet: the hash that was approved when it was made; absent when nothing had to be."""
