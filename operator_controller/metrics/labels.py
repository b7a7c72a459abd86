"""What an extension or a revision is, in the words of metric labels. Pure; reads whatever the API server admits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import condition_of, is_true
from olmv1.manifests import Manifest, is_deleting, name_of

__all__ = ["REVISION_STATES", "abnormal_reason", "info_of", "installed_version", "place_of", "revision_state"]

_CHANNELS_LIMIT = 200
"""Characters: 256 channels of 253 characters each are admitted."""

REVISION_STATES = ("RollingOut", "Succeeded", "Stalled", "Archived", "Deleting")


def info_of(ext: Manifest) -> tuple[str, ...]:
    """The labels `name, package, channels, version, installed, catalog`; empty where nothing is known or asked for."""
    wanted = _wanted(ext)
    channels = ",".join(sorted(map(str, wanted.get("channels") or ())))
    install = (ext.get("status") or {}).get("install") or {}
    return (
        name_of(ext),
        str(wanted.get("packageName") or ""),
        channels if len(channels) <= _CHANNELS_LIMIT else f"{channels[: _CHANNELS_LIMIT - 1]}…",
        str(wanted.get("version") or ""),
        installed_version(ext),
        str(install.get("catalog") or ""),
    )


def place_of(ext: Manifest) -> tuple[str, str, str, str]:
    """The labels `name, namespace, package, version`, the version being the installed one."""
    namespace = str((ext.get("spec") or {}).get("namespace") or "")
    return name_of(ext), namespace, str(_wanted(ext).get("packageName") or ""), installed_version(ext)


def installed_version(ext: Manifest) -> str:
    """The version of the installed bundle, empty without one."""
    install = (ext.get("status") or {}).get("install") or {}
    return str((install.get("bundle") or {}).get("version") or "")


def abnormal_reason(ext: Manifest) -> str | None:
    """Why an extension is not what its spec asks for: the reason of `Ready`, or `Deleting`; `None` when it is."""
    if is_deleting(ext):
        return "Deleting"
    if is_true(ext, ConditionType.READY):
        return None
    return str((condition_of(ext, ConditionType.READY) or {}).get("reason") or "Unknown")


def revision_state(object_set: Manifest) -> str:
    """One of `REVISION_STATES`."""
    if is_deleting(object_set):
        return "Deleting"
    if (object_set.get("spec") or {}).get("lifecycleState") == "Archived":
        return "Archived"
    progressing = condition_of(object_set, ConditionType.PROGRESSING) or {}
    if progressing.get("status") == "False" and progressing.get("reason") != Reason.PAUSED:
        return "Stalled"
    return "Succeeded" if is_true(object_set, ConditionType.SUCCEEDED) else "RollingOut"


def _wanted(ext: Manifest) -> Mapping[str, Any]:
    source = (ext.get("spec") or {}).get("source") or {}
    catalog: Mapping[str, Any] = source.get("catalog") or {}
    return catalog
