"""Which Events a change of status is worth: transitions only. Rule: house style H30, clusterextension.md 15 row 18."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from olmv1.api.vocabulary import ConditionType
from olmv1.conditions import condition_of

__all__ = ["Transition", "transitions"]

_PROBLEMS = frozenset({"Retrying", "Blocked", "InvalidConfiguration", "ProgressDeadlineExceeded"})


@dataclass(frozen=True, slots=True)
class Transition:
    """One Event to emit; `reason` is the reason of the condition it is about."""

    type: Literal["Normal", "Warning"]
    reason: str
    message: str


def transitions(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Transition]:
    """What changed for the user between two statuses of a ClusterExtension."""
    old, new = _bundle(before), _bundle(after)
    if new is not None and new != old:
        verb = "Installed" if old is None else "Upgraded"
        text = f"installed {new['name']}" if old is None else f"upgraded from {old['name']} to {new['name']}"
        yield Transition("Normal", verb, text)
    yield from _truths(before, after)
    was, now = _progress(before), _progress(after)
    if now == was or now is None:
        return
    reason, message = now
    if reason in _PROBLEMS:
        yield Transition("Warning", reason, message)
    elif was is not None and was[0] in _PROBLEMS and reason == "Succeeded":
        yield Transition("Normal", "Recovered", message)


def _truths(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Transition]:
    """Optional conditions that became untrue, or true again."""
    for type_ in (ConditionType.CLUSTER_UPGRADEABLE, ConditionType.DEPENDENCIES_SATISFIED):
        old, new = (condition_of({"status": status}, type_) for status in (before, after))
        if new is None or (old is not None and (old["status"], old["reason"]) == (new["status"], new["reason"])):
            continue
        if new["status"] == "False":
            yield Transition("Warning", str(new["reason"]), str(new.get("message")))
        elif new["status"] == "True" and old is not None and old["status"] == "False":
            yield Transition("Normal", str(new["reason"]), str(new.get("message")))


def _bundle(status: Mapping[str, Any]) -> Mapping[str, Any] | None:
    bundle: Mapping[str, Any] | None = (status.get("install") or {}).get("bundle")
    return bundle


def _progress(status: Mapping[str, Any]) -> tuple[str, str] | None:
    condition = condition_of({"status": status}, "Progressing")
    return None if condition is None else (str(condition.get("reason")), str(condition.get("message")))
