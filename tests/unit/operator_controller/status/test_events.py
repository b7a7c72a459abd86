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
