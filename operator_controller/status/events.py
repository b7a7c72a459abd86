"""Which Events a change of status is worth: transitions only. Rule: house style H30, clusterextension.md 15 row 18."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from olmv1.api.vocabulary import ConditionType
from olmv1.conditions import condition_of
from olmv1.versions import VersionRelease

__all__ = ["Transition", "transitions"]

_TRUTHS = (ConditionType.CLUSTER_UPGRADEABLE, ConditionType.DEPENDENCIES_SATISFIED, ConditionType.AVAILABLE)
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
        yield _moved(old, new)
    yield from _truths(before, after)
    yield from _ways_on(before, after)
    was, now = _progress(before), _progress(after)
    if now == was or now is None:
        return
    reason, message = now
    if reason in _PROBLEMS:
        yield Transition("Warning", reason, _in_one_line(message))
    elif was is not None and was[0] in _PROBLEMS and reason == "Succeeded":
        yield Transition("Normal", "Recovered", message)


def _moved(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> Transition:
    if old is None:
        return Transition("Normal", "Installed", f"installed {new['name']}")
    way = f"from {old['name']} to {new['name']}"
    if _is_lower(new, old):
        return Transition("Normal", "RolledBack", f"rolled back {way}")
    return Transition("Normal", "Upgraded", f"upgraded {way}")


def _is_lower(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    try:
        low, high = (VersionRelease.parse(str(each["version"]), each.get("release")) for each in (one, other))
    except ValueError:
        return False
    return low < high


def _truths(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Transition]:
    """Optional conditions that became untrue, or true again."""
    for type_ in _TRUTHS:
        old, new = (condition_of({"status": status}, type_) for status in (before, after))
        if new is None or (old is not None and (old["status"], old["reason"]) == (new["status"], new["reason"])):
            continue
        if new["status"] == "False":
            yield Transition("Warning", str(new["reason"]), _in_one_line(str(new.get("message"))))
        elif new["status"] == "True" and old is not None and old["status"] == "False":
            yield Transition("Normal", str(new["reason"]), str(new.get("message")))


def _ways_on(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Transition]:
    """A newer bundle than was known, and one that waits for a person."""
    bundle, known = _bundle(after), [each["bundle"] for each in before.get("availableUpgrades") or ()]
    newest = next((str(each["bundle"]) for each in after.get("availableUpgrades") or ()), None)
    if bundle is not None and newest is not None and newest not in known:
        yield Transition("Normal", "UpgradeAvailable", f"{newest} can replace {bundle['name']}")
    old, new = (condition_of({"status": status}, ConditionType.UPGRADE_PENDING) for status in (before, after))
    if new is not None and new["status"] == "True" and (old is None or old.get("message") != new.get("message")):
        yield Transition("Normal", str(new["reason"]), str(new.get("message")))


def _in_one_line(message: str) -> str:
    """A list as one line: of several, `kubectl get events` shows the first one only."""
    first, *others = [line.strip().removeprefix("- ") for line in message.splitlines()] or [""]
    return f"{first} {'; '.join(others)}" if others and first.endswith(":") else "; ".join([first, *others])


def _bundle(status: Mapping[str, Any]) -> Mapping[str, Any] | None:
    bundle: Mapping[str, Any] | None = (status.get("install") or {}).get("bundle")
    return bundle


def _progress(status: Mapping[str, Any]) -> tuple[str, str] | None:
    condition = condition_of({"status": status}, "Progressing")
    return None if condition is None else (str(condition.get("reason")), str(condition.get("message")))
