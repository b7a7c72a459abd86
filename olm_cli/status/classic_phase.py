"""The phase that the ClusterServiceVersion of an extension would have in OLM Classic, for people who come from there.

Pure. Rule: bundle-rendering.md 14, "CSV phases". OLM v1 makes no ClusterServiceVersion; its conditions say more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from olmv1.api.vocabulary import ConditionType, Reason

__all__ = ["ClassicPhase", "classic_phase_of"]


class ClassicPhase(StrEnum):
    """A phase of a ClusterServiceVersion."""

    PENDING = "Pending"
    """Nothing is installed, and nothing can be yet: no bundle is chosen, or something that it requires is missing."""
    INSTALL_READY = "InstallReady"
    """The first revision is made; nothing is said about its objects yet."""
    INSTALLING = "Installing"
    """The objects of the first revision are being applied, or are not ready."""
    SUCCEEDED = "Succeeded"
    """Something is installed and healthy; also while its upgrade is refused, as in OLM Classic."""
    FAILED = "Failed"
    """The configuration is wrong, a rollout has come to its end without success, or what is installed is unhealthy."""
    REPLACING = "Replacing"
    """A newer revision is on its way to take the place of what is installed."""
    DELETING = "Deleting"
    """The extension is on its way out."""


# A rollout that ends so goes on by itself only when something changes.
_GIVEN_UP = frozenset({Reason.PROGRESS_DEADLINE_EXCEEDED, Reason.BLOCKED, Reason.INVALID_CONFIGURATION})


@dataclass(frozen=True, slots=True)
class _Facts:
    progressing: tuple[str, str]
    available: str
    is_rolling: bool
    is_begun: bool


def classic_phase_of(ext: Mapping[str, Any]) -> ClassicPhase:
    """The phase of a ClusterExtension, as it is stored."""
    if ext["metadata"].get("deletionTimestamp"):
        return ClassicPhase.DELETING
    status = ext.get("status") or {}
    is_installed = bool((status.get("install") or {}).get("bundle"))
    facts = _facts_of(status, is_installed=is_installed)
    return _installed_phase(facts) if is_installed else _first_phase(facts)


def _facts_of(status: Mapping[str, Any], *, is_installed: bool) -> _Facts:
    by_type = {item.get("type"): item for item in status.get("conditions") or ()}
    progressing = by_type.get(ConditionType.PROGRESSING) or {}
    # The installed revision is the first of the active ones.
    rolling = (status.get("activeRevisions") or ())[1 if is_installed else 0 :]
    return _Facts(
        progressing=(str(progressing.get("status", "")), str(progressing.get("reason", ""))),
        available=str((by_type.get(ConditionType.AVAILABLE) or {}).get("status", "")),
        is_rolling=bool(rolling),
        is_begun=any(each.get("conditions") for each in rolling),
    )


def _installed_phase(facts: _Facts) -> ClassicPhase:
    if facts.is_rolling:
        return ClassicPhase.FAILED if _is_given_up(facts) else ClassicPhase.REPLACING
    return ClassicPhase.FAILED if facts.available == "False" else ClassicPhase.SUCCEEDED


def _first_phase(facts: _Facts) -> ClassicPhase:
    if facts.is_rolling:
        if _is_given_up(facts):
            return ClassicPhase.FAILED
        return ClassicPhase.INSTALLING if facts.is_begun else ClassicPhase.INSTALL_READY
    is_wrong = facts.progressing == ("False", Reason.INVALID_CONFIGURATION)
    return ClassicPhase.FAILED if is_wrong else ClassicPhase.PENDING


def _is_given_up(facts: _Facts) -> bool:
    status, reason = facts.progressing
    return status == "False" and reason in _GIVEN_UP
