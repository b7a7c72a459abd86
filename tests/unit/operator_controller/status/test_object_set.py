from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from olmv1.errors import RetryableError, TerminalError
from olmv1.manifests import ObjectKey
from operator_controller.outcome.object_set import Action, ObjectReport, ObjectSetOutcome, PhaseReport
from operator_controller.revisions.probes import ProbeResult, Truth
from operator_controller.status import object_set_status
from tests.builders import a_condition, an_object_set

NOW = datetime(2026, 1, 2, tzinfo=UTC)
KEY = ObjectKey("apps", "v1", "Deployment", "shop", "till")


def a_report(action: Action = Action.IDLE, truth: Truth = Truth.TRUE, *messages: str, detail: str = "") -> ObjectReport:
    return ObjectReport(KEY, action, ProbeResult(truth, messages), detail)


def reached(*reports: ObjectReport, count: int = 1) -> ObjectSetOutcome:
    return ObjectSetOutcome(phases=(PhaseReport(0, "deploy", reports),), phase_count=count)


def conditions_of(seen: ObjectSetOutcome, stored: dict[str, Any] | None = None) -> dict[str, tuple[str, str, str]]:
    status = object_set_status(stored or an_object_set(progressDeadlineMinutes=15), seen, NOW)
    return {c["type"]: (c["status"], c["reason"], c["message"]) for c in status["conditions"]}


COMPLETE = reached(a_report())
FAILING = reached(a_report(Action.IDLE, Truth.FALSE, "a", "b"))
COLLIDING = reached(a_report(Action.COLLISION, Truth.UNKNOWN, "m", detail="Conflicting Owner: nil"))
COLLISION_TEXT = (
    "revision object collisions in phase 0\nObject Deployment.apps/v1 shop/till\n"
    'Action: "Collision"\nProbes:\n- Progress: Unknown\n  - m\nConflicting Owner: nil'
)


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        pytest.param(COMPLETE, ("True", "Succeeded", "Revision 1.0.0 has rolled out."), id="complete"),
        pytest.param(FAILING, ("True", "RollingOut", "Revision 1.0.0 is rolling out."), id="incomplete"),
        pytest.param(COLLIDING, ("True", "Retrying", COLLISION_TEXT), id="collision"),
        pytest.param(ObjectSetOutcome(failure=TerminalError("mutable")), ("False", "Blocked", "mutable"), id="blocked"),
        pytest.param(ObjectSetOutcome(failure=RetryableError("no")), ("True", "Retrying", "no"), id="error"),
        pytest.param(ObjectSetOutcome(is_torn_down=True), ("False", "Archived", "revision is archived"), id="archived"),
        pytest.param(
            ObjectSetOutcome(is_tearing_down=True),
            ("True", "Retrying", "removing revision resources that are not owned by another revision"),
            id="tearing down",
        ),
        pytest.param(
            replace(FAILING, is_overdue=True),
            (
                "False",
                "ProgressDeadlineExceeded",
                "Revision has not rolled out for 15 minute(s). Last status: Revision 1.0.0 is rolling out.",
            ),
            id="overdue",
        ),
        pytest.param(
            ObjectSetOutcome(failure=TerminalError("mutable"), is_overdue=True),
            ("False", "Blocked", "mutable"),
            id="blocked and overdue",
        ),
    ],
)
def test_object_set_status_says_how_it_progresses(seen: ObjectSetOutcome, condition: tuple[str, str, str]) -> None:
    assert conditions_of(seen)["Progressing"] == condition


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        pytest.param(
            COMPLETE, ("True", "ProbesSucceeded", "Objects are available and pass all probes."), id="complete"
        ),
        pytest.param(
            FAILING, ("False", "ProbeFailure", "Object Deployment.apps/v1 shop/till: a and b"), id="probe fails"
        ),
        pytest.param(
            reached(a_report(), count=2), ("False", "RollingOut", "Revision 1.0.0 is rolling out."), id="on its way"
        ),
        pytest.param(
            ObjectSetOutcome(is_torn_down=True), ("Unknown", "Archived", "revision is archived"), id="archived"
        ),
        pytest.param(ObjectSetOutcome(failure=RetryableError("no")), None, id="error before anything was known"),
        pytest.param(ObjectSetOutcome(is_tearing_down=True), None, id="tearing down"),
    ],
)
def test_object_set_status_says_how_healthy_it_is(
    seen: ObjectSetOutcome, condition: tuple[str, str, str] | None
) -> None:
    assert conditions_of(seen).get("Available") == condition


def test_object_set_status_hides_known_health_behind_an_error() -> None:
    stored = an_object_set(conditions=[a_condition("Available")])
    seen = ObjectSetOutcome(failure=RetryableError("no"))
    assert conditions_of(seen, stored)["Available"] == ("Unknown", "Reconciling", "no")


def test_object_set_status_names_a_bounded_number_of_failing_objects() -> None:
    seen = reached(*[a_report(Action.IDLE, Truth.FALSE, "a")] * 23)
    lines = conditions_of(seen)["Available"][2].split("\n")
    assert (len(lines), lines[-1]) == (21, "and 3 more objects")


def test_object_set_status_never_takes_success_back() -> None:
    stored = an_object_set(conditions=[a_condition("Succeeded", message="Revision succeeded rolling out.")])
    assert conditions_of(COMPLETE)["Succeeded"] == ("True", "Succeeded", "Revision succeeded rolling out.")
    assert conditions_of(FAILING, stored)["Succeeded"] == ("True", "Succeeded", "Revision succeeded rolling out.")
    assert "Succeeded" not in conditions_of(FAILING)


def test_object_set_status_records_phases_once() -> None:
    seen = ObjectSetOutcome(observed_phases=(("deploy", "sha256:1"),))
    stored = an_object_set()
    first = object_set_status(stored, seen, NOW)
    again = object_set_status({**stored, "status": first}, replace(seen, observed_phases=(("x", "y"),)), NOW)
    assert first["observedPhases"] == again["observedPhases"] == [{"name": "deploy", "digest": "sha256:1"}]


def test_object_set_status_does_not_count_the_success_of_a_successor() -> None:
    handed_over = reached(a_report(Action.PROGRESSED))
    found = conditions_of(handed_over)
    assert ("Succeeded" in found, found["Progressing"][1]) == (False, "RollingOut")
    stored = an_object_set(conditions=[a_condition("Succeeded")])
    assert conditions_of(handed_over, stored)["Progressing"][1] == "Succeeded"


def test_object_set_status_names_what_holds_up_its_deletion() -> None:
    seen = ObjectSetOutcome(is_tearing_down=True, waiting_for=(KEY,) * 22)
    lines = conditions_of(seen)["Progressing"][2].split("\n")
    assert lines[0] == "removing revision resources that are not owned by another revision"
    assert (lines[1], lines[-1]) == ("Object Deployment.apps/v1 shop/till: is being deleted", "and 2 more objects")
