"""The progress deadline of a revision. Rule: revisions.md 6.4."""

from __future__ import annotations

from datetime import datetime, timedelta

from olmv1.conditions import is_true
from olmv1.manifests import Manifest, is_deleting

__all__ = ["deadline_of", "is_overdue"]


def deadline_of(object_set: Manifest) -> datetime | None:
    """When the rollout is overdue, counted from the creation of the set (UTC).

    `None`: no deadline is set, or it plays no part because the set has succeeded, is archived or is being deleted.
    """
    spec = object_set["spec"]
    minutes = spec.get("progressDeadlineMinutes")
    if not minutes or spec["lifecycleState"] != "Active" or is_deleting(object_set) or is_true(object_set, "Succeeded"):
        return None
    return datetime.fromisoformat(object_set["metadata"]["creationTimestamp"]) + timedelta(minutes=minutes)


def is_overdue(object_set: Manifest, now: datetime) -> bool:
    """Whether the deadline has passed; the work goes on all the same."""
    deadline = deadline_of(object_set)
    return deadline is not None and now >= deadline
