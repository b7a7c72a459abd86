"""Kubernetes too old: a bundle that needs a newer one than the cluster's is no candidate, so the next one is taken.

The installed bundle may always stay. Without a known version of the cluster the rule does not apply. Rule: decision 5.
"""

from __future__ import annotations

from operator_controller.resolver.environment import kubernetes_version
from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["KUBERNETES"]


def _keeps(view: View) -> Predicate | None:
    cluster = kubernetes_version(view.question.request.kube_version or "")
    if cluster is None:
        return None
    of = view.index.environments.of
    return lambda candidate: of(candidate.bundle).kubernetes <= cluster or view.is_installed(candidate)


def _reason(candidate: Candidate, view: View) -> str:
    least = view.index.environments.of(candidate.bundle).least
    return f"Kubernetes >= {least} is required, the cluster has {view.question.request.kube_version}"


KUBERNETES = Filter("Kubernetes version", _keeps, _reason)
