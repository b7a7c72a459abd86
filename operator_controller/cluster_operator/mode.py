"""Which object carries the answer. Rule: upgradeable.md 6.3."""

from __future__ import annotations

from enum import StrEnum

from olmv1.manifests import Manifest

__all__ = ["ClusterOperatorMode", "choose_mode"]


class ClusterOperatorMode(StrEnum):
    """The values of `--cluster-operator`."""

    AUTO = "auto"
    DIRECT = "direct"
    OLM_STATUS = "olm-status"
    OFF = "off"


def choose_mode(
    wanted: ClusterOperatorMode, olm: Manifest | None, *, has_cluster_operators: bool
) -> ClusterOperatorMode:
    """The mode to work in; `olm` is the OLM object `cluster`, when there is one.

    A platform operator that manages the OLM object makes the ClusterOperator of it every minute: writing there as well
    would be a fight.
    """
    if wanted is not ClusterOperatorMode.AUTO:
        return wanted
    if olm is not None and (olm.get("spec") or {}).get("managementState", "Managed") == "Managed":
        return ClusterOperatorMode.OLM_STATUS
    return ClusterOperatorMode.DIRECT if has_cluster_operators else ClusterOperatorMode.OFF
