from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from operator_controller.revisions.deadline import deadline_of, is_overdue, next_deadline, started_phases
from tests.builders import a_condition, an_object_set

DELETING = an_object_set(progressDeadlineMinutes=10)
DELETING["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "object_set",
    [
        pytest.param(an_object_set(), id="none set"),
        pytest.param(an_object_set(progressDeadlineMinutes=10, state="Archived"), id="archived"),
        pytest.param(an_object_set(progressDeadlineMinutes=10, conditions=[a_condition("Succeeded")]), id="succeeded"),
        pytest.param(DELETING, id="being deleted"),
    ],
)
def test_deadline_of_is_none_when_it_plays_no_part(object_set: dict[str, Any]) -> None:
    assert deadline_of(object_set) is None


@pytest.mark.parametrize(("minute", "is_late"), [(9, False), (10, True)])
def test_is_overdue_counts_from_creation_before_any_phase(minute: int, is_late: bool) -> None:
    now = datetime(2026, 1, 1, 0, minute, tzinfo=UTC)
    assert is_overdue(an_object_set(progressDeadlineMinutes=10), now) is is_late


@pytest.mark.parametrize(("minute", "is_late"), [(10, False), (16, False), (17, True)])
def test_is_overdue_counts_from_the_newest_phase(minute: int, is_late: bool) -> None:
    object_set = an_object_set(progressDeadlineMinutes=10)
    starts = {"crds": "2026-01-01T00:00:05Z", "deploy": "2026-01-01T00:07:00Z"}
    object_set["status"]["startedPhases"] = [{"name": name, "startedAt": at} for name, at in starts.items()]
    assert is_overdue(object_set, datetime(2026, 1, 1, 0, minute, tzinfo=UTC)) is is_late


def test_started_phases_keeps_the_first_time_of_each() -> None:
    object_set = an_object_set()
    first = started_phases(object_set, ["crds"], datetime(2026, 1, 1, tzinfo=UTC))
    assert first == ({"name": "crds", "startedAt": "2026-01-01T00:00:00Z"},)
    object_set["status"]["startedPhases"] = list(first)
    later = started_phases(object_set, ["crds", "deploy"], datetime(2026, 1, 2, tzinfo=UTC))
    assert later == (*first, {"name": "deploy", "startedAt": "2026-01-02T00:00:00Z"})


def test_started_phases_adds_nothing_to_a_set_that_has_succeeded() -> None:
    object_set = an_object_set(conditions=[a_condition("Succeeded")])
    assert started_phases(object_set, ["crds"], datetime(2026, 1, 1, tzinfo=UTC)) == ()


def test_next_deadline_counts_from_a_phase_that_was_reached_just_now() -> None:
    object_set = an_object_set(progressDeadlineMinutes=10)
    object_set["status"]["startedPhases"] = [{"name": "crds", "startedAt": "2026-01-01T00:00:05Z"}]
    now = datetime(2026, 1, 1, 2, 0, tzinfo=UTC)
    ends = [next_deadline(object_set, reached, now) for reached in (["crds"], ["crds", "deploy"])]
    assert ends == [datetime(2026, 1, 1, 0, 10, 5, tzinfo=UTC), datetime(2026, 1, 1, 2, 10, tzinfo=UTC)]
