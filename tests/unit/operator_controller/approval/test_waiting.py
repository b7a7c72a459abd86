from __future__ import annotations

import pytest

from olmv1.conditions import Condition
from operator_controller.approval import (
    ANNOTATION_APPROVE,
    ANNOTATION_APPROVED,
    approval_in,
    is_approved,
    pending,
    unspent_approval,
    waiting_plan,
)
from operator_controller.revisions.desired import BundleIdentity

PLAN, OTHER = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"


def at(version: str, release: str | None = None) -> BundleIdentity:
    return BundleIdentity("lantern", f"lantern.v{version}", version, release, f"example.com/lantern:v{version}")


def waiting(message: str, status: str = "True") -> dict[str, object]:
    return {"status": {"conditions": [{"type": "UpgradePending", "status": status, "message": message}]}}


@pytest.mark.parametrize(
    ("approved", "message"),
    [
        pytest.param("", f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {PLAN}", id="nothing approved"),
        pytest.param(
            OTHER,
            f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {PLAN}; "
            f'the approval of plan "{OTHER}" is not for this one',
            id="another plan approved",
        ),
        pytest.param(
            "x" * 100,
            f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {PLAN}; "
            f'the approval of plan "{"x" * 64}…" is not for this one',
            id="no plan approved",
        ),
    ],
)
def test_pending_names_both_versions_and_the_plan(approved: str, message: str) -> None:
    expected = Condition("UpgradePending", "True", "ApprovalRequired", message)
    assert pending(at("1.0.0"), at("1.1.0"), PLAN, approved) == expected


def test_pending_tells_rebuilds_of_one_version_apart() -> None:
    assert pending(at("1.0.0"), at("1.0.0", "2"), PLAN).message == (
        f"upgrade from 1.0.0 to 1.0.0+2 waits for approval of plan {PLAN}"
    )


@pytest.mark.parametrize("approved", ["", OTHER])
def test_waiting_plan_reads_what_pending_wrote(approved: str) -> None:
    message = pending(at("1.0.0"), at("1.1.0"), PLAN, approved).message
    assert waiting_plan(waiting(message)) == PLAN


@pytest.mark.parametrize(
    "ext",
    [
        pytest.param({}, id="no status"),
        pytest.param({"status": {"conditions": [{"type": "Progressing", "status": "True"}]}}, id="other conditions"),
        pytest.param(waiting(f"x waits for approval of plan {PLAN}", "False"), id="no longer"),
        pytest.param(waiting(f"x waits for approval of plan {PLAN}c"), id="no plan"),
    ],
)
def test_waiting_plan_is_empty_when_nothing_waits(ext: dict[str, object]) -> None:
    assert waiting_plan(ext) == ""


@pytest.mark.parametrize(
    ("approval", "under_way", "is_so"),
    [
        pytest.param(PLAN, [], True, id="on the extension"),
        pytest.param("", [{}, {ANNOTATION_APPROVED: PLAN}], True, id="recorded on a revision on its way"),
        pytest.param(OTHER, [{ANNOTATION_APPROVED: OTHER}], False, id="another one"),
        pytest.param(PLAN[:8], [], False, id="a part of it"),
        pytest.param("", [], False, id="nothing"),
    ],
)
def test_approval_is_of_exactly_this_plan(approval: str, under_way: list[dict[str, str]], is_so: bool) -> None:
    assert is_approved(PLAN, approval, under_way) is is_so


def test_approval_is_empty_without_the_annotation() -> None:
    assert approval_in({}) == ""


@pytest.mark.parametrize(
    ("revisions", "unspent"),
    [
        pytest.param([], PLAN, id="nothing made yet"),
        pytest.param([{}, {ANNOTATION_APPROVED: OTHER}], PLAN, id="made by another approval"),
        pytest.param([{ANNOTATION_APPROVED: PLAN}, {}], "", id="made by this approval, and left since"),
    ],
)
def test_approval_counts_once(revisions: list[dict[str, str]], unspent: str) -> None:
    assert unspent_approval({ANNOTATION_APPROVE: f" {PLAN}\n"}, revisions) == unspent
