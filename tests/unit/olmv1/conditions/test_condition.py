from __future__ import annotations

from datetime import UTC, datetime

import pytest

from olmv1.conditions import Condition, condition_of, is_true, stamp_all, status_patch

NOW = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
BEFORE = "2026-01-01T00:00:00Z"


def a_stored(type_: str = "Installed", status: str = "True") -> dict[str, object]:
    return {"type": type_, "status": status, "reason": "Old", "message": "", "lastTransitionTime": BEFORE}


@pytest.mark.parametrize(
    ("before", "since"),
    [
        pytest.param([], "2026-01-02T03:04:05Z", id="first time"),
        pytest.param([a_stored()], BEFORE, id="status stays"),
        pytest.param([a_stored(status="False")], "2026-01-02T03:04:05Z", id="status flips"),
    ],
)
def test_stamp_all_moves_the_transition_time_only_when_status_flips(
    before: list[dict[str, object]], since: str
) -> None:
    assert stamp_all([Condition("Installed", "True", "Succeeded", "done")], before, 3, NOW) == [
        {
            "type": "Installed",
            "status": "True",
            "reason": "Succeeded",
            "message": "done",
            "observedGeneration": 3,
            "lastTransitionTime": since,
        }
    ]


def test_stamp_all_keeps_foreign_conditions_behind_ours() -> None:
    stored = stamp_all([Condition("Installed", "True", "Succeeded", "")], [a_stored("Theirs"), a_stored()], 1, NOW)
    assert [condition["type"] for condition in stored] == ["Installed", "Theirs"]


def test_condition_of_finds_a_condition_by_type() -> None:
    obj = {"status": {"conditions": [a_stored("A", "False"), a_stored("B")]}}
    assert (condition_of(obj, "B"), condition_of(obj, "C"), condition_of({}, "B")) == (a_stored("B"), None, None)


def test_is_true_needs_the_condition_to_be_true() -> None:
    obj = {"status": {"conditions": [a_stored("A", "False"), a_stored("B")]}}
    assert (is_true(obj, "A"), is_true(obj, "B"), is_true(obj, "C")) == (False, True, False)


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        pytest.param({"a": 1}, {"a": 1}, None, id="equal"),
        pytest.param({}, {"a": 1}, {"status": {"a": 1}}, id="added"),
        pytest.param({"a": 1, "b": [2]}, {"b": [3]}, {"status": {"a": None, "b": [3]}}, id="removed and changed"),
    ],
)
def test_status_patch_holds_only_the_difference(
    before: dict[str, object], after: dict[str, object], patch: dict[str, object] | None
) -> None:
    assert status_patch(before, after) == patch
