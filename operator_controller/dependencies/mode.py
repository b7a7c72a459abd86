"""The switch of an extension: whether requirements hold a rollout. Rule: decision 10."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from olmv1.api.names import ANNOTATION_DEPENDENCIES

__all__ = ["Mode", "mode_of"]


class Mode(StrEnum):
    """What unmet requirements do."""

    CHECK = "Check"
    """They hold the rollout."""

    WARN = "Warn"
    """They are reported, the rollout goes on."""

    IGNORE = "Ignore"
    """They are not looked at."""


def mode_of(annotations: Mapping[str, str]) -> Mode:
    """The mode that the annotations of a ClusterExtension ask for; anything unknown is the safe one, `Check`."""
    try:
        return Mode(annotations.get(ANNOTATION_DEPENDENCIES, Mode.CHECK))
    except ValueError:
        return Mode.CHECK
