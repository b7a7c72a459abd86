from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from operator_controller.cluster_operator.manifests import cluster_operator_status, olm_status
from operator_controller.upgradeability import Report

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BLOCKED = Report(False, "IncompatibleOperatorsInstalled", "Found one.")


def a_condition(type_: str, status: str, reason: str = "", message: str = "") -> dict[str, Any]:
    since = "2026-01-01T00:00:00Z"
    return {"type": type_, "status": status, "reason": reason, "message": message, "lastTransitionTime": since}


def a_status(live: dict[str, Any] | None, report: Report = BLOCKED, release: str = "") -> dict[str, Any]:
    status: dict[str, Any] = cluster_operator_status(live, report, NOW, namespace="olmv1-system", release=release)[
        "status"
    ]
    return status


def test_new_operator_gets_every_condition() -> None:
    found = a_status(None, release="4.18.3")
    said = [(each["type"], each["status"]) for each in found["conditions"]]
    assert said == [("Upgradeable", "False"), ("Available", "True"), ("Progressing", "False"), ("Degraded", "False")]
    assert found["versions"] == [{"name": "operator", "version": "4.18.3"}]
    assert {each["resource"] for each in found["relatedObjects"]} == {
        "namespaces",
        "customresourcedefinitions",
        "clusterextensions",
    }


def test_conditions_of_another_writer_are_left_alone() -> None:
    theirs = a_condition("Degraded", "True", "SyncError", "not by us")
    found = a_status({"status": {"conditions": [theirs]}})
    assert [each["type"] for each in found["conditions"]] == ["Upgradeable", "Available", "Progressing"]


def test_time_stays_until_the_status_flips() -> None:
    live = {"status": {"conditions": [a_condition("Upgradeable", "False")]}}
    times = [
        a_status(live, report)["conditions"][0]["lastTransitionTime"] for report in (BLOCKED, Report(True, "", ""))
    ]
    assert times == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]


def test_olm_object_gets_one_condition_without_prefixes() -> None:
    assert olm_status({}, BLOCKED, NOW)["status"]["conditions"] == [
        {
            "type": "InstalledOLMOperatorsUpgradeable",
            "status": "False",
            "lastTransitionTime": "2026-01-02T00:00:00Z",
            "reason": "IncompatibleOperatorsInstalled",
            "message": "Found one.",
        }
    ]
