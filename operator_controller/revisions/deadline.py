"""The progress deadline of a revision: counted from the start of its newest phase. Rule: revisions.md 6.4, 9 row 14.

The starts are in the status of the set, so that a restart of the controller does not give more time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from olmv1.conditions import is_true
from olmv1.manifests import Manifest, is_deleting

__all__ = ["deadline_of", "is_overdue", "next_deadline", "started_phases"]


def deadline_of(object_set: Manifest) -> datetime | None:
    """When the rollout is overdue (UTC), counted from its last progress.

    `None`: no deadline is set, or it plays no part because the set has succeeded, is archived or is being deleted.
    """
    spec = object_set["spec"]
    minutes = spec.get("progressDeadlineMinutes")
    if not minutes or spec["lifecycleState"] != "Active" or is_deleting(object_set) or is_true(object_set, "Succeeded"):
        return None
    starts = [datetime.fromisoformat(phase["startedAt"]) for phase in _listed(object_set)]
    created = datetime.fromisoformat(object_set["metadata"]["creationTimestamp"])
    return max([created, *starts]) + timedelta(minutes=minutes)


def is_overdue(object_set: Manifest, now: datetime) -> bool:
    """Whether the deadline has passed; the work goes on all the same."""
    deadline = deadline_of(object_set)
    return deadline is not None and now >= deadline


def started_phases(object_set: Manifest, reached: Iterable[str], now: datetime) -> tuple[Mapping[str, str], ...]:
    """`status.startedPhases` after a pass that reached these phases; of a set that has succeeded nothing is added."""
    listed = _listed(object_set)
    if is_true(object_set, "Succeeded"):
        return tuple(listed)
    known = {phase["name"] for phase in listed}
    at = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return (*listed, *({"name": name, "startedAt": at} for name in reached if name not in known))


def next_deadline(object_set: Manifest, reached: Iterable[str], now: datetime) -> datetime | None:
    """`deadline_of` as it will be when the starts of a pass that reached these phases are stored."""
    status = {**(object_set.get("status") or {}), "startedPhases": started_phases(object_set, reached, now)}
    return deadline_of({**object_set, "status": status})


def _listed(object_set: Manifest) -> Sequence[Mapping[str, str]]:
    return (object_set.get("status") or {}).get("startedPhases") or ()
