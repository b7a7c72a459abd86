"""The OperatorCondition of a bundle, as classic OLM makes it: its name is that of the ClusterServiceVersion."""

from __future__ import annotations

from typing import Any

from olmv1.served import Served
from operator_controller.bundle import Bundle
from operator_controller.renderer import uses_operator_conditions

__all__ = ["GROUP", "KIND", "condition_for"]

GROUP = "operators.coreos.com"
KIND = "OperatorCondition"

_VERSIONS = ("v2", "v1")


def condition_for(bundle: Bundle, namespace: str, served: Served) -> dict[str, Any] | None:
    """The object to install with the bundle; `None` when its operator uses none, or the cluster has no such API.

    Conditions and overrides are left out: they belong to the operator and to the administrator.
    """
    version = next((each for each in _VERSIONS if served.has(GROUP, KIND, each)), None)
    if version is None or not uses_operator_conditions(bundle):
        return None
    pods = [entry.spec["template"]["spec"] for entry in bundle.deployments]
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": KIND,
        "metadata": {"name": bundle.csv_name, "namespace": namespace},
        "spec": {
            "deployments": sorted(entry.name for entry in bundle.deployments),
            "serviceAccounts": sorted({str(pod.get("serviceAccountName") or "default") for pod in pods}),
        },
    }
