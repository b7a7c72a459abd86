"""The conditions of an extension in a word, and which of them are as they should be. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from olm_cli.output import Tone
from olmv1.api.vocabulary import ConditionType, Reason

__all__ = ["SHOWN", "State", "is_good", "state_of", "tone_of"]

SHOWN = (ConditionType.INSTALLED, ConditionType.PROGRESSING, ConditionType.AVAILABLE)
"""The conditions that decide, in the order of the columns."""

_GOOD = {
    (ConditionType.INSTALLED, "True", Reason.SUCCEEDED),
    (ConditionType.PROGRESSING, "True", Reason.SUCCEEDED),
    (ConditionType.AVAILABLE, "True", Reason.PROBES_SUCCEEDED),
}


class State(StrEnum):
    """Whether an extension is what its spec asks for."""

    DONE = "Done"
    NOT_DONE = "NotDone"
    UNKNOWN = "Unknown"


def state_of(ext: Mapping[str, Any]) -> State:
    """The state of a ClusterExtension; unknown while the controller has said nothing about its present spec."""
    generation = ext["metadata"].get("generation")
    by_type = {item.get("type"): item for item in (ext.get("status") or {}).get("conditions") or ()}
    progressing = by_type.get(ConditionType.PROGRESSING)
    if ext["metadata"].get("deletionTimestamp"):
        return State.NOT_DONE
    # Conditions about an older spec say nothing about this one.
    if progressing is None or progressing.get("observedGeneration", generation) != generation:
        return State.UNKNOWN
    shown = [by_type[type_] for type_ in SHOWN if type_ in by_type]
    is_done = by_type.get(ConditionType.INSTALLED, {}).get("status") == "True" and all(map(is_good, shown))
    return State.DONE if is_done else State.NOT_DONE


def is_good(condition: Mapping[str, Any]) -> bool:
    """Whether one of the deciding conditions is as it should be."""
    return (condition["type"], condition["status"], condition["reason"]) in _GOOD


def tone_of(condition: Mapping[str, Any]) -> Tone:
    """How one of the deciding conditions is shown that is not as it should be."""
    is_on_its_way = condition["reason"] in (Reason.ROLLING_OUT, Reason.ABSENT) or condition["status"] == "Unknown"
    return Tone.DOUBTFUL if is_on_its_way else Tone.BAD
