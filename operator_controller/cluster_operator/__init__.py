"""Tells OpenShift whether the cluster may be upgraded: the ClusterOperator `olm`, or what the platform makes it of.

Costs nothing on clusters without these APIs, and begins when they appear. Rule: upgradeable.md 6.
"""

from operator_controller.cluster_operator.mode import ClusterOperatorMode
from operator_controller.cluster_operator.reporter import Reporter, ReporterPorts

__all__ = ["ClusterOperatorMode", "Reporter", "ReporterPorts"]
