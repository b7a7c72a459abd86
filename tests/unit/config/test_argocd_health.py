"""What Argo CD makes of the three kinds, whatever their conditions say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.argo import CHECKS, health

PENDING = "upgrade from 1.0.0 to 1.1.0 waits for approval of plan 0123456789ab"
UNSEEN = "the controller has not seen this version of the object yet"
UNSEEN_CATALOG = "catalogd has not seen this version of the object yet"


def an_object(kind: str, *conditions: tuple[str, str, str, str], observed: int = 2, **spec: Any) -> dict[str, Any]:
    """An object of generation 2 whose conditions are type, status, reason and message."""
    listed = [
        {"type": type_, "status": status, "reason": reason, "message": message, "observedGeneration": observed}
        for type_, status, reason, message in conditions
    ]
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": kind,
        "metadata": {"name": "lantern", "generation": 2},
        "spec": spec,
        **({"status": {"observedGeneration": observed, "conditions": listed}} if listed else {}),
    }


READY = ("Ready", "True", "Succeeded", "all is well")
PAUSED = ("Ready", "Unknown", "Paused", "paused")
UNHEALTHY = ("Ready", "False", "ProbeFailure", "a pod crashes")
ROLLING = ("Ready", "False", "RollingOut", "on its way")
STALLED = (("Ready", "False", "Blocked", "no"), ("Stalled", "True", "Blocked", "change the range"))


@pytest.mark.parametrize("kind", ["ClusterExtension", "ClusterObjectSet"])
@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        pytest.param((), ("Progressing", UNSEEN), id="new"),
        pytest.param((READY,), ("Healthy", "all is well"), id="ready"),
        pytest.param((PAUSED,), ("Suspended", "paused"), id="paused"),
        pytest.param((ROLLING,), ("Progressing", "on its way"), id="rolling-out"),
        pytest.param((UNHEALTHY,), ("Degraded", "a pod crashes"), id="unhealthy"),
        pytest.param(STALLED, ("Degraded", "change the range"), id="stalled"),
    ],
)
def test_extension_and_revision(
    kind: str, conditions: tuple[tuple[str, str, str, str], ...], expected: tuple[str, str]
) -> None:
    assert health(an_object(kind, *conditions)) == expected


@pytest.mark.parametrize("kind", ["ClusterExtension", "ClusterObjectSet"])
def test_a_status_about_an_older_spec_says_nothing(kind: str) -> None:
    assert health(an_object(kind, READY, observed=1)) == ("Progressing", UNSEEN)


def test_an_extension_that_waits_for_approval_is_healthy_and_says_so() -> None:
    pending = ("UpgradePending", "True", "ApprovalRequired", PENDING)
    assert health(an_object("ClusterExtension", READY, pending)) == ("Healthy", PENDING)


def test_an_archived_revision_is_suspended() -> None:
    archived = an_object("ClusterObjectSet", lifecycleState="Archived")
    assert health(archived) == ("Suspended", "the revision is archived")


@pytest.mark.parametrize(
    ("progressing", "serving", "expected"),
    [
        pytest.param(("True", "Succeeded", "new"), ("True", "Available", "serves"), ("Healthy", "serves"), id="served"),
        pytest.param(
            ("True", "Succeeded", "off"),
            ("False", "UserSpecifiedUnavailable", "off"),
            ("Suspended", "off"),
            id="switched-off",
        ),
        pytest.param(
            ("False", "Blocked", "no catalog"),
            ("True", "Available", "serves"),
            ("Degraded", "no catalog"),
            id="blocked",
        ),
        pytest.param(
            ("True", "Retrying", "no answer"),
            ("True", "Available", "serves"),
            ("Progressing", "no answer"),
            id="retried",
        ),
        pytest.param(
            ("True", "Retrying", "no answer"),
            ("False", "Unavailable", "none"),
            ("Progressing", "no answer"),
            id="empty",
        ),
    ],
)
def test_catalog(progressing: tuple[str, str, str], serving: tuple[str, str, str], expected: tuple[str, str]) -> None:
    conditions = (("Progressing", *progressing), ("Serving", *serving))
    assert health(an_object("ClusterCatalog", *conditions)) == expected
    assert health(an_object("ClusterCatalog", *conditions, observed=1)) == ("Progressing", UNSEEN_CATALOG)


def test_a_new_catalog_is_progressing() -> None:
    assert health(an_object("ClusterCatalog")) == ("Progressing", UNSEEN_CATALOG)


def test_every_kind_has_a_check() -> None:
    assert {key.rpartition("_")[2] for key in CHECKS} == {"ClusterExtension", "ClusterObjectSet", "ClusterCatalog"}
