from __future__ import annotations

from dataclasses import replace

import pytest

from olmv1.manifests import ObjectKey
from operator_controller.certificates import is_spread
from operator_controller.outcome.object_set import Action, ObjectReport, PhaseReport
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.revisions.plan import Plan, PlannedObject, PlannedPhase
from operator_controller.revisions.probes import ProbeResult, Truth

CRD = ObjectKey("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "", "c")
HOOK = ObjectKey("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "ns", "m")
OTHER = ObjectKey("", "v1", "ConfigMap", "ns", "c")
PLAN = Plan(
    (
        PlannedPhase(
            "one",
            "",
            tuple(
                PlannedObject(key, "", CollisionProtection.PREVENT, (0, 0), trusts=trusts)
                for key, trusts in ((CRD, ("ns", "s")), (HOOK, ("ns", "s")), (OTHER, None))
            ),
        ),
    )
)


def reports(**actions: Action) -> list[PhaseReport]:
    keys = {"crd": CRD, "hook": replace(HOOK, namespace="")}
    found = (ObjectReport(keys[name], action, ProbeResult(Truth.FALSE)) for name, action in actions.items())
    return [PhaseReport(0, "one", tuple(found))]


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        pytest.param(reports(crd=Action.IDLE, hook=Action.CREATED), True, id="all, healthy or not"),
        pytest.param(reports(crd=Action.UPDATED), False, id="not reached"),
        pytest.param(reports(crd=Action.UPDATED, hook=Action.WAITING), False, id="waiting"),
        pytest.param(reports(crd=Action.PROGRESSED, hook=Action.IDLE), False, id="of a newer revision"),
        pytest.param([], False, id="nothing"),
    ],
)
def test_is_spread_says_whether_everybody_was_told(found: list[PhaseReport], answer: bool) -> None:
    assert is_spread(PLAN, found) is answer


def test_is_spread_when_nobody_has_to_be_told() -> None:
    assert is_spread(Plan(()), [])
