"""Which kinds a bundle may carry beside its CSV and CRDs, and which of them live in a namespace.

Decided by kind alone, the group is not looked at. Rule: bundle-rendering.md 8 (rule 13).
"""

from __future__ import annotations

__all__ = ["CLUSTER_SCOPED", "NAMESPACED"]

NAMESPACED = frozenset(
    {
        "ConfigMap",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "PodMonitor",
        "PrometheusRule",
        "Role",
        "RoleBinding",
        "Secret",
        "Service",
        "ServiceAccount",
        "ServiceMonitor",
    }
)

CLUSTER_SCOPED = frozenset(
    {
        "ClusterRole",
        "ClusterRoleBinding",
        "ConsoleCLIDownload",
        "ConsoleLink",
        "ConsolePlugin",
        "ConsoleQuickStart",
        "ConsoleYAMLSample",
        "PriorityClass",
        "VerticalPodAutoscaler",  # in truth namespaced: it keeps the namespace that its author wrote
    }
)
