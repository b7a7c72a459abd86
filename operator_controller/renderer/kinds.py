"""Which kinds a bundle may carry beside its CSV and CRDs, and which of them live in a namespace.

The reference decides by kind alone; we look at the group too. Rule: bundle-rendering.md 8 (rule 13), 15 row 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CLUSTER_SCOPED", "GROUPS", "NAMESPACED"]

_CORE = frozenset({""})
_MONITORING = frozenset({"monitoring.coreos.com", "monitoring.rhobs"})
_CONSOLE = frozenset({"console.openshift.io"})
# OpenShift serves the same objects under a group of its own.
_RBAC = frozenset({"rbac.authorization.k8s.io", "authorization.openshift.io"})

_NAMESPACED_GROUPS = {
    "ConfigMap": _CORE,
    "NetworkPolicy": frozenset({"networking.k8s.io"}),
    "PodDisruptionBudget": frozenset({"policy"}),
    "PodMonitor": _MONITORING,
    "PrometheusRule": _MONITORING,
    "Role": _RBAC,
    "RoleBinding": _RBAC,
    "Secret": _CORE,
    "Service": _CORE,
    "ServiceAccount": _CORE,
    "ServiceMonitor": _MONITORING,
}

_CLUSTER_SCOPED_GROUPS = {
    "ClusterRole": _RBAC,
    "ClusterRoleBinding": _RBAC,
    "ConsoleCLIDownload": _CONSOLE,
    "ConsoleLink": _CONSOLE,
    "ConsolePlugin": _CONSOLE,
    "ConsoleQuickStart": _CONSOLE,
    "ConsoleYAMLSample": _CONSOLE,
    "PriorityClass": frozenset({"scheduling.k8s.io"}),
    # In truth namespaced: the first pass keeps the namespace that its author wrote.
    "VerticalPodAutoscaler": frozenset({"autoscaling.k8s.io"}),
}

NAMESPACED = frozenset(_NAMESPACED_GROUPS)
CLUSTER_SCOPED = frozenset(_CLUSTER_SCOPED_GROUPS)
GROUPS: Mapping[str, frozenset[str]] = MappingProxyType(_NAMESPACED_GROUPS | _CLUSTER_SCOPED_GROUPS)
