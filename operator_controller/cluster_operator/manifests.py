"""What is written: only the fields that are ours, for server-side apply. Rule: upgradeable.md 5.1, 6.3 and 6.4."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from olmv1.conditions import Condition, condition_of, cut_message
from olmv1.manifests import Manifest
from operator_controller.upgradeability import PlatformCondition, PlatformReason, Report

__all__ = ["NAME", "OLM_NAME", "cluster_operator", "cluster_operator_status", "olm_status"]

NAME = "olm"
"""Of the ClusterOperator."""

OLM_NAME = "cluster"
"""Of the OLM object."""

_AS_EXPECTED = (
    Condition(PlatformCondition.AVAILABLE, "True", PlatformReason.AS_EXPECTED, "OLM is available"),
    Condition(PlatformCondition.PROGRESSING, "False", PlatformReason.AS_EXPECTED, "OLM is at rest"),
    Condition(PlatformCondition.DEGRADED, "False", PlatformReason.AS_EXPECTED, "OLM works as expected"),
)


def cluster_operator() -> dict[str, Any]:
    """The ClusterOperator itself, which has no specification."""
    head = {"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperator"}
    return {**head, "metadata": {"name": NAME}, "spec": {}}


def cluster_operator_status(
    live: Manifest | None, report: Report, now: datetime, *, namespace: str, release: str
) -> dict[str, Any]:
    """The apply document for the status: `Upgradeable`, and those of the others that nobody else has set.

    `release` is the version that the component has reached; empty when it was not told.
    """
    wanted = [report.operator_condition, *(each for each in _AS_EXPECTED if _is_free(live, each.type))]
    status: dict[str, Any] = {
        "conditions": _stamped(wanted, live, now),
        "relatedObjects": [
            {"group": "", "resource": "namespaces", "name": namespace},
            *(
                {"group": "apiextensions.k8s.io", "resource": "customresourcedefinitions", "name": name}
                for name in _DEFINITIONS
            ),
            {"group": "olm.operatorframework.io", "resource": "clusterextensions", "name": ""},
        ],
    }
    if release:
        status["versions"] = [{"name": "operator", "version": release}]
    return {**cluster_operator(), "status": status}


def olm_status(live: Manifest, report: Report, now: datetime) -> dict[str, Any]:
    """The apply document for the status of the OLM object: one condition."""
    status = {"conditions": _stamped([report.olm_condition], live, now)}
    return {
        "apiVersion": "operator.openshift.io/v1",
        "kind": "OLM",
        "metadata": {"name": OLM_NAME},
        "status": status,
    }


_DEFINITIONS = (
    "clustercatalogs.olm.operatorframework.io",
    "clusterextensions.olm.operatorframework.io",
    "clusterobjectsets.olm.operatorframework.io",
)


def _is_free(live: Manifest | None, type_: str) -> bool:
    """Whether the condition is absent, or the one that we set: another writer's words stay."""
    there = condition_of(live or {}, type_)
    ours = next(each for each in _AS_EXPECTED if each.type == type_)
    return there is None or (there.get("status"), there.get("reason"), there.get("message")) == (
        ours.status,
        ours.reason,
        ours.message,
    )


def _stamped(wanted: Iterable[Condition], live: Manifest | None, now: datetime) -> list[dict[str, Any]]:
    """Conditions of the platform: they have no generation, and keep their time while the status is the same."""
    found = []
    for each in wanted:
        before = condition_of(live or {}, each.type)
        is_same = before is not None and before.get("status") == each.status
        since = before.get("lastTransitionTime") if is_same and before else now.strftime("%Y-%m-%dT%H:%M:%SZ")
        text = {"reason": each.reason, "message": cut_message(each.message)}
        stamp = {"type": each.type, "status": each.status, "lastTransitionTime": since}
        found.append({**stamp, **{key: value for key, value in text.items() if value}})
    return found
