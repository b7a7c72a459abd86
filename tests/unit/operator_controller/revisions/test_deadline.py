from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from operator_controller.revisions.deadline import deadline_of, is_overdue
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
def test_is_overdue_counts_from_creation(minute: int, is_late: bool) -> None:
    now = datetime(2026, 1, 1, 0, minute, tzinfo=UTC)
    assert is_overdue(an_object_set(progressDeadlineMinutes=10), now) is is_late
