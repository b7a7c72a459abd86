from __future__ import annotations

from typing import Any

import pytest

from olm_cli.status.classic_phase import ClassicPhase, classic_phase_of
from tests.builders import a_condition

BUNDLE = {"bundle": {"name": "lantern.v1.0.0", "version": "1.0.0"}}
ROLLING = {"name": "lantern-2", "conditions": [a_condition("Progressing", reason="RollingOut")]}
FIRST, NEW = {"name": "lantern-1"}, {"name": "lantern-2"}


def progressing(status: str, reason: str) -> dict[str, Any]:
    return a_condition("Progressing", status, reason)


def an_ext(
    *conditions: dict[str, Any],
    installed: bool = False,
    revisions: tuple[dict[str, Any], ...] = (),
    deleted: bool = False,
) -> dict[str, Any]:
    metadata = {"name": "lantern", **({"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleted else {})}
    active = ([FIRST] if installed else []) + list(revisions)
    install = {"install": BUNDLE} if installed else {}
    return {"metadata": metadata, "status": {"conditions": list(conditions), "activeRevisions": active, **install}}


HEALTHY = a_condition("Available", reason="ProbesSucceeded")
SICK = a_condition("Available", "False", "ProbeFailure")


@pytest.mark.parametrize(
    ("ext", "phase"),
    [
        pytest.param({"metadata": {"name": "x"}}, "Pending", id="nobody has looked at it"),
        pytest.param(an_ext(progressing("True", "Retrying")), "Pending", id="no bundle fits"),
        pytest.param(an_ext(progressing("False", "Blocked")), "Pending", id="a requirement is unmet"),
        pytest.param(an_ext(progressing("False", "Paused")), "Pending", id="paused before the install"),
        pytest.param(an_ext(progressing("False", "InvalidConfiguration")), "Failed", id="wrong configuration"),
        pytest.param(an_ext(progressing("True", "RollingOut"), revisions=(NEW,)), "InstallReady", id="made"),
        pytest.param(an_ext(progressing("True", "RollingOut"), revisions=(ROLLING,)), "Installing", id="installing"),
        pytest.param(an_ext(progressing("True", "Retrying"), revisions=(ROLLING,)), "Installing", id="in trouble"),
        pytest.param(
            an_ext(progressing("False", "ProgressDeadlineExceeded"), revisions=(ROLLING,)), "Failed", id="took too long"
        ),
        pytest.param(
            an_ext(progressing("True", "Succeeded"), HEALTHY, installed=True), "Succeeded", id="installed and healthy"
        ),
        pytest.param(an_ext(progressing("True", "Succeeded"), SICK, installed=True), "Failed", id="unhealthy"),
        pytest.param(
            an_ext(progressing("False", "Blocked"), HEALTHY, installed=True), "Succeeded", id="its upgrade is refused"
        ),
        pytest.param(
            an_ext(progressing("True", "RollingOut"), HEALTHY, installed=True, revisions=(ROLLING,)),
            "Replacing",
            id="upgrading",
        ),
        pytest.param(
            an_ext(progressing("True", "RollingOut"), SICK, installed=True, revisions=(NEW,)),
            "Replacing",
            id="upgrading from what is unhealthy",
        ),
        pytest.param(
            an_ext(progressing("False", "ProgressDeadlineExceeded"), HEALTHY, installed=True, revisions=(ROLLING,)),
            "Failed",
            id="the upgrade took too long",
        ),
        pytest.param(an_ext(HEALTHY, installed=True, deleted=True), "Deleting", id="deleted"),
        pytest.param(an_ext(deleted=True), "Deleting", id="deleted before it was installed"),
    ],
)
def test_classic_phase_is_that_of_its_cluster_service_version(ext: dict[str, Any], phase: str) -> None:
    assert classic_phase_of(ext) is ClassicPhase(phase)
