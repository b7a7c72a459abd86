from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
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


def reached(*reports: ObjectReport, count: int = 1, name: str = "deploy") -> ObjectSetOutcome:
    return ObjectSetOutcome(phases=(PhaseReport(0, name, reports),), phase_count=count)


def conditions_of(seen: ObjectSetOutcome, stored: dict[str, Any] | None = None) -> dict[str, tuple[str, str, str]]:
    status = object_set_status(stored or STORED, seen, NOW)
    return {c["type"]: (c["status"], c["reason"], c["message"]) for c in status["conditions"]}


STORED = an_object_set(progressDeadlineMinutes=15)
STORED["status"]["startedPhases"] = [{"name": "deploy", "startedAt": "2026-01-01T00:00:00Z"}]
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
            replace(reached(a_report(truth=Truth.FALSE), name="publish"), is_overdue=True),
            ("True", "RollingOut", "Revision 1.0.0 is rolling out."),
            id="overdue until now",
        ),
        pytest.param(
            reached(replace(a_report(), contest="x fights")),
            ("True", "Retrying", "Object Deployment.apps/v1 shop/till: x fights"),
            id="contested",
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


def test_object_set_status_says_what_the_pods_of_a_failing_workload_say() -> None:
    seen = replace(FAILING, pods={KEY: ('pod "till-1" is odd', "and 1 more")})
    text = 'Object Deployment.apps/v1 shop/till: a and b: pod "till-1" is odd; and 1 more'
    found = conditions_of(seen)
    assert found["Available"] == ("False", "ProbeFailure", text)
    assert found["Ready"] == ("False", "RollingOut", f"Revision 1.0.0 is rolling out.\n{text}")


def test_object_set_status_sums_up_in_the_words_of_kstatus() -> None:
    stored = an_object_set(conditions=[a_condition(type_) for type_ in ("Reconciling", "Stalled", "Theirs")])
    found = object_set_status(stored, COMPLETE, NOW)
    assert found["observedGeneration"] == 1
    types = [item["type"] for item in found["conditions"]]
    assert types == ["Progressing", "Available", "Succeeded", "Ready", "Theirs"]
    assert conditions_of(ObjectSetOutcome(is_torn_down=True), stored).keys() == {"Progressing", "Available", "Theirs"}


def test_object_set_status_stays_as_it_is_while_nothing_happens() -> None:
    stored = an_object_set()
    stored["status"] = object_set_status(stored, FAILING, NOW)
    assert object_set_status(stored, FAILING, NOW + timedelta(minutes=1)) == stored["status"]


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


def test_object_set_status_names_the_phase_that_a_rollout_waits_in() -> None:
    where = 'The rollout waits in phase "deploy" (1 of 3).'
    failing = conditions_of(reached(a_report(truth=Truth.FALSE), count=3))["Available"][2]
    assert failing == f"Object Deployment.apps/v1 shop/till: Idle\n{where}"
    colliding = reached(a_report(Action.COLLISION, Truth.UNKNOWN, "m", detail="Conflicting Owner: nil"), count=3)
    assert conditions_of(colliding)["Progressing"][2] == f"{COLLISION_TEXT}\n\n{where}"


def test_object_set_status_stores_when_each_phase_was_reached() -> None:
    status = object_set_status(an_object_set(), COMPLETE, NOW)
    assert status["startedPhases"] == [{"name": "deploy", "startedAt": "2026-01-02T00:00:00Z"}]
    assert object_set_status(STORED, COMPLETE, NOW)["startedPhases"] == STORED["status"]["startedPhases"]


def test_object_set_status_of_the_same_pass_is_the_same_later() -> None:
    status = object_set_status(an_object_set(), COMPLETE, NOW)
    later = {**an_object_set(), "status": status}
    assert object_set_status(later, COMPLETE, NOW + timedelta(hours=1)) == status


def test_object_set_status_of_a_migrated_set_says_so() -> None:
    migrated = an_object_set()
    migrated["metadata"]["labels"]["olm.operatorframework.io/migrated-from-helm"] = "true"
    assert conditions_of(COMPLETE, migrated)["Succeeded"][2] == "Revision succeeded - migrated from Helm release"
