"""Which minor version the cluster has. Rule: upgradeable.md 6.1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.upgradeability.minor import Minor

__all__ = ["CurrentVersion", "current_version"]


@dataclass(frozen=True, slots=True)
class CurrentVersion:
    """`minor` is `None` when the version is unknown; `problem` then says why."""

    minor: Minor | None
    problem: str = ""


def current_version(cluster_version: Manifest | None, *, override: str = "", release: str = "") -> CurrentVersion:
    """The version from `--openshift-version`, else from the ClusterVersion, else from `RELEASE_VERSION`.

    An upgrade under way does not count before it is complete.
    """
    text = override or (_recorded(cluster_version) if cluster_version is not None else "") or release
    if not text:
        return CurrentVersion(None, 'the ClusterVersion "version" names no version of the cluster')
    try:
        return CurrentVersion(Minor.of_version(text))
    except ValueError as error:
        return CurrentVersion(None, str(error))


def _recorded(cluster_version: Manifest) -> str:
    status: Mapping[str, Any] = cluster_version.get("status") or {}
    history = [item for item in status.get("history") or () if isinstance(item, Mapping)]
    completed = [item for item in history if item.get("state") == "Completed"]
    if completed or history:
        return str((completed[0] if completed else history[-1]).get("version") or "")
    return str((status.get("desired") or {}).get("version") or "")
