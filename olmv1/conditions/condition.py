"""The condition value and the one place that turns wanted conditions into what is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from olmv1.conditions.messages import cut_message, scrub
from olmv1.manifests import Manifest

__all__ = ["Condition", "condition_of", "is_true", "stamp_all", "status_patch"]

Truth = Literal["True", "False", "Unknown"]


@dataclass(frozen=True, slots=True)
class Condition:
    """What a status room wants to say; generation and transition time are added by `stamp_all`."""

    type: str
    status: Truth
    reason: str
    message: str


def condition_of(obj: Manifest, type_: str) -> Mapping[str, Any] | None:
    """The condition `type_` of an object as the API server returned it, or `None`."""
    for condition in (obj.get("status") or {}).get("conditions") or ():
        if condition.get("type") == type_:
            found: Mapping[str, Any] = condition
            return found
    return None


def is_true(obj: Manifest, type_: str) -> bool:
    """Whether the condition `type_` of an object is there and `True`."""
    condition = condition_of(obj, type_)
    return condition is not None and condition.get("status") == "True"


def stamp_all(
    wanted: Iterable[Condition], current: Sequence[Mapping[str, Any]], generation: int, now: datetime
) -> list[dict[str, Any]]:
    """The list to store: every wanted condition stamped, then the foreign ones of `current` unchanged.

    `lastTransitionTime` is kept unless `status` flips; messages are scrubbed and cut to the limit of the API.
    A condition of ours that is no longer wanted must be left out of `current` by the caller.
    Rule: clusterextension.md 5 and 7.
    """
    known = {str(condition.get("type")): condition for condition in current}
    stamped = [_stamp(condition, known.get(condition.type), generation, now) for condition in wanted]
    ours = {condition["type"] for condition in stamped}
    return [*stamped, *(dict(condition) for condition in current if condition.get("type") not in ours)]


def status_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
    """The merge patch that turns the status `before` into `after`, or `None` when nothing differs.

    Without a resource version: each status has one writer, and a write that rests on an old view is put right by the
    event that it had not seen.
    """
    if before == after:
        return None
    removed = dict.fromkeys(sorted(before.keys() - after.keys()))
    return {"status": {**removed, **{key: value for key, value in after.items() if before.get(key) != value}}}


def _stamp(wanted: Condition, before: Mapping[str, Any] | None, generation: int, now: datetime) -> dict[str, Any]:
    flipped = before is None or before.get("status") != wanted.status
    since = now.strftime("%Y-%m-%dT%H:%M:%SZ") if flipped else (before or {}).get("lastTransitionTime")
    return {
        "type": wanted.type,
        "status": wanted.status,
        "reason": wanted.reason,
        "message": cut_message(scrub(wanted.message)),
        "observedGeneration": generation,
        "lastTransitionTime": since,
    }
