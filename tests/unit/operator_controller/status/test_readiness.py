from __future__ import annotations

import pytest

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition
from operator_controller.status.readiness import readiness

HEALTHY = Condition(ConditionType.AVAILABLE, "True", Reason.PROBES_SUCCEEDED, "fine")
SICK = Condition(ConditionType.AVAILABLE, "False", Reason.PROBE_FAILURE, "Object x: down")
HIDDEN = Condition(ConditionType.AVAILABLE, "Unknown", Reason.RECONCILING, "no answer")

Told = tuple[str, str, str, str]


def a_progress(status: str, reason: Reason, message: str = "m") -> Condition:
    return Condition(ConditionType.PROGRESSING, "True" if status == "True" else "False", reason, message)


REACHED = a_progress("True", Reason.SUCCEEDED, "Desired state reached")
ROLLING = a_progress("True", Reason.ROLLING_OUT, "Revision 1.0.0 is rolling out.")


def told(*conditions: Condition | None) -> list[Told]:
    progressing, available, *rolling = conditions
    assert progressing is not None
    found = readiness(progressing, available, *rolling)
    return [(item.type, item.status, item.reason, item.message) for item in found]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        pytest.param((REACHED, HEALTHY), [("Ready", "True", "Succeeded", "fine")], id="as wanted"),
        pytest.param(
            (ROLLING, None),
            [
                ("Ready", "False", "RollingOut", "Revision 1.0.0 is rolling out."),
                ("Reconciling", "True", "RollingOut", "Revision 1.0.0 is rolling out."),
            ],
            id="first rollout",
        ),
        pytest.param(
            (ROLLING, SICK),
            [
                ("Ready", "False", "RollingOut", "Revision 1.0.0 is rolling out.\nObject x: down"),
                ("Reconciling", "True", "RollingOut", "Revision 1.0.0 is rolling out.\nObject x: down"),
            ],
            id="rollout hangs",
        ),
        pytest.param(
            (ROLLING, HEALTHY, SICK),
            [
                ("Ready", "False", "RollingOut", "Revision 1.0.0 is rolling out.\nObject x: down"),
                ("Reconciling", "True", "RollingOut", "Revision 1.0.0 is rolling out.\nObject x: down"),
            ],
            id="upgrade hangs over a healthy one",
        ),
        pytest.param(
            (a_progress("False", Reason.BLOCKED), HEALTHY),
            [("Ready", "False", "Blocked", "m"), ("Stalled", "True", "Blocked", "m")],
            id="blocked",
        ),
        pytest.param(
            (a_progress("True", Reason.RETRYING), HEALTHY),
            [("Ready", "False", "Retrying", "m"), ("Reconciling", "True", "Retrying", "m")],
            id="retrying",
        ),
        pytest.param(
            (REACHED, SICK),
            [
                ("Ready", "False", "ProbeFailure", "Object x: down"),
                ("Reconciling", "True", "ProbeFailure", "Object x: down"),
            ],
            id="unhealthy since",
        ),
        pytest.param(
            (REACHED, HIDDEN),
            [("Ready", "False", "Reconciling", "no answer"), ("Reconciling", "True", "Reconciling", "no answer")],
            id="health is hidden",
        ),
        pytest.param(
            (REACHED, None),
            [
                ("Ready", "False", "Reconciling", "nothing is known of the objects yet"),
                ("Reconciling", "True", "Reconciling", "nothing is known of the objects yet"),
            ],
            id="health is not known",
        ),
        pytest.param((a_progress("False", Reason.ARCHIVED), None), [], id="archived"),
        pytest.param((a_progress("False", Reason.PAUSED), HEALTHY), [("Ready", "Unknown", "Paused", "m")], id="paused"),
    ],
)
def test_readiness_sums_up(conditions: tuple[Condition | None, ...], expected: list[Told]) -> None:
    assert told(*conditions) == expected


def test_readiness_of_what_was_fine_before_names_its_health_alone() -> None:
    ready, reconciling = readiness(ROLLING, SICK, has_succeeded=True)
    assert (ready.status, ready.reason, ready.message) == ("False", "ProbeFailure", "Object x: down")
    assert (reconciling.status, reconciling.reason, reconciling.message) == ("True", "ProbeFailure", "Object x: down")


def test_readiness_repeats_a_bounded_part_of_a_long_message() -> None:
    (_, _, _, text), (_, _, _, again) = told(a_progress("True", Reason.RETRYING, "x" * 30_000), None)
    assert text == again == "x" * 2047 + "…"
