"""What a paused extension, or revision, says. Rule: clusterextension.md 15 row 19."""

from __future__ import annotations

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition
from operator_controller.target import ANNOTATION_PAUSED

__all__ = ["paused"]

_TEXT = f'nothing is applied or repaired while annotation "{ANNOTATION_PAUSED}" is "true"'


def paused() -> Condition:
    """`Progressing=False/Paused`."""
    return Condition(ConditionType.PROGRESSING, "False", Reason.PAUSED, _TEXT)
