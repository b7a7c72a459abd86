"""`Ready`, and only while they hold `Reconciling` and `Stalled`: what `kubectl wait`, Flux, Argo CD and others read.

The three sum the other conditions up in the words of kstatus. At most one of `Reconciling` (time may help) and
`Stalled` (only a change can) is there; without either the object is what its spec asks for, or nobody looks after it.
"""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition

__all__ = ["READINESS", "readiness"]

READINESS = frozenset({ConditionType.READY, ConditionType.RECONCILING, ConditionType.STALLED})

_TEXT_LIMIT = 2048
"""Characters of their messages: the condition that they repeat has the whole text."""


def readiness(
    progressing: Condition,
    available: Condition | None,
    rolling: Condition | None = None,
    *,
    has_succeeded: bool = False,
) -> tuple[Condition, ...]:
    """The conditions of an object that stands so; none for an archived revision, which nobody waits for.

    `available` is the health of what is there, `rolling` that of what is to replace it if anything is. `has_succeeded`:
    the rollout came to its end once, so one that is rolling out again has become unhealthy since.
    """
    if progressing.reason == Reason.ARCHIVED:
        return ()
    if progressing.reason == Reason.PAUSED:
        return (Condition(ConditionType.READY, "Unknown", Reason.PAUSED, progressing.message),)
    text = _text(progressing, available if rolling is None else rolling)
    if progressing.status == "False":
        return _not_ready(ConditionType.STALLED, progressing.reason, text)
    is_new = progressing.reason == Reason.ROLLING_OUT and not has_succeeded
    if is_new or progressing.reason not in (Reason.SUCCEEDED, Reason.ROLLING_OUT):
        return _not_ready(ConditionType.RECONCILING, progressing.reason, text)
    if available is None:
        return _not_ready(ConditionType.RECONCILING, Reason.RECONCILING, "nothing is known of the objects yet")
    if available.status != "True":
        return _not_ready(ConditionType.RECONCILING, available.reason, _cut(available.message))
    return (Condition(ConditionType.READY, "True", Reason.SUCCEEDED, _cut(available.message)),)


def _not_ready(type_: ConditionType, reason: str, text: str) -> tuple[Condition, ...]:
    return (Condition(ConditionType.READY, "False", reason, text), Condition(type_, "True", reason, text))


def _text(progressing: Condition, health: Condition | None) -> str:
    """What is going on, and what is unhealthy of it: that is mostly why it goes on."""
    lines = [progressing.message]
    if health is not None and (health.status, health.reason) == ("False", Reason.PROBE_FAILURE):
        lines.append(health.message)
    return _cut("\n".join(_distinct(lines)))


def _distinct(lines: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(line for line in lines if line)


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT_LIMIT else f"{text[: _TEXT_LIMIT - 1]}…"
