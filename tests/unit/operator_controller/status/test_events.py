from __future__ import annotations

from typing import Any

import pytest

from operator_controller.status.events import Transition, transitions
from tests.builders import a_condition


def a_status(version: str | None = None, reason: str | None = None, message: str = "") -> dict[str, Any]:
    status: dict[str, Any] = {}
    if version is not None:
        status["install"] = {"bundle": {"name": f"lantern.v{version}", "version": version}}
    if reason is not None:
        status["conditions"] = [a_condition("Progressing", "True", reason, message)]
    return status


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        pytest.param(
            a_status(), a_status("1.0.0"), [Transition("Normal", "Installed", "installed lantern.v1.0.0")], id="install"
        ),
        pytest.param(
            a_status("1.0.0"),
            a_status("1.1.0"),
            [Transition("Normal", "Upgraded", "upgraded from lantern.v1.0.0 to lantern.v1.1.0")],
            id="upgrade",
        ),
        pytest.param(
            a_status("1.10.0"),
            a_status("1.9.0"),
            [Transition("Normal", "RolledBack", "rolled back from lantern.v1.10.0 to lantern.v1.9.0")],
            id="rollback",
        ),
        pytest.param(
            a_status("odd"),
            a_status("1.9.0"),
            [Transition("Normal", "Upgraded", "upgraded from lantern.vodd to lantern.v1.9.0")],
            id="no version",
        ),
        pytest.param(a_status("1.0.0"), a_status("1.0.0"), [], id="nothing"),
        pytest.param(
            a_status(), a_status(reason="Blocked", message="m"), [Transition("Warning", "Blocked", "m")], id="problem"
        ),
        pytest.param(
            a_status(),
            a_status(reason="Blocked", message="unmet:\n- a\n  - b"),
            [Transition("Warning", "Blocked", "unmet: a; b")],
            id="list with a title",
        ),
        pytest.param(
            a_status(),
            a_status(reason="Retrying", message="forbidden: a\nforbidden: b"),
            [Transition("Warning", "Retrying", "forbidden: a; forbidden: b")],
            id="list",
        ),
        pytest.param(
            a_status(reason="Retrying", message="m"), a_status(reason="Retrying", message="m"), [], id="same problem"
        ),
        pytest.param(
            a_status(reason="Retrying", message="m"),
            a_status(reason="Succeeded", message="Desired state reached"),
            [Transition("Normal", "Recovered", "Desired state reached")],
            id="recovered",
        ),
        pytest.param(a_status(reason="RollingOut"), a_status(reason="Succeeded"), [], id="plain progress"),
    ],
)
def test_transitions_tells_changes_only(
    before: dict[str, Any], after: dict[str, Any], events: list[Transition]
) -> None:
    assert list(transitions(before, after)) == events


def health(status: str, reason: str, message: str, version: str = "1.0.0") -> dict[str, Any]:
    return {**a_status(version), "conditions": [a_condition("Available", status, reason, message)]}


HEALTHY, SICK = health("True", "ProbesSucceeded", "fine"), health("False", "ProbeFailure", "Object a: x\nObject b: y")


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        pytest.param(
            HEALTHY, SICK, [Transition("Warning", "ProbeFailure", "Object a: x; Object b: y")], id="becomes unhealthy"
        ),
        pytest.param(SICK, health("False", "ProbeFailure", "Object a: z"), [], id="unhealthy in another way"),
        pytest.param(SICK, HEALTHY, [Transition("Normal", "ProbesSucceeded", "fine")], id="recovers"),
        pytest.param(HEALTHY, HEALTHY, [], id="stays healthy"),
    ],
)
def test_transitions_tells_changes_of_health(
    before: dict[str, Any], after: dict[str, Any], events: list[Transition]
) -> None:
    assert list(transitions(before, after)) == events


def upgradable(*versions: str) -> dict[str, Any]:
    listed = [{"bundle": f"lantern.v{version}", "version": version} for version in versions]
    return {**a_status("1.0.0"), "availableUpgrades": listed}


NEW = Transition("Normal", "UpgradeAvailable", "lantern.v1.2.0 can replace lantern.v1.0.0")


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        pytest.param(a_status("1.0.0"), upgradable("1.2.0", "1.1.0"), [NEW], id="first"),
        pytest.param(upgradable("1.1.0"), upgradable("1.2.0", "1.1.0"), [NEW], id="newer"),
        pytest.param(upgradable("1.3.0", "1.2.0"), upgradable("1.2.0"), [], id="withdrawn"),
        pytest.param(upgradable("1.2.0"), a_status("1.0.0"), [], id="none left"),
    ],
)
def test_transitions_tells_new_upgrades(
    before: dict[str, Any], after: dict[str, Any], events: list[Transition]
) -> None:
    assert list(transitions(before, after)) == events


def waiting(plan: str) -> dict[str, Any]:
    return {"conditions": [a_condition("UpgradePending", "True", "ApprovalRequired", f"plan {plan}")]}


def test_transitions_tells_every_plan_that_waits_once() -> None:
    found = [list(transitions(before, waiting("b"))) for before in ({}, waiting("a"), waiting("b"))]
    assert found == [[Transition("Normal", "ApprovalRequired", "plan b")]] * 2 + [[]]
