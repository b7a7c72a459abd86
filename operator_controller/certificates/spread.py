"""Whether everything that calls webhooks has been given the trust of a pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from olmv1.manifests import ObjectKey
from operator_controller.outcome.object_set import Action, PhaseReport
from operator_controller.revisions.plan import Plan

__all__ = ["is_spread"]

_APPLIED = frozenset({Action.CREATED, Action.UPDATED, Action.RECOVERED, Action.IDLE})


def is_spread(plan: Plan, reports: Iterable[PhaseReport]) -> bool:
    """Whether every object of the plan that trusts an authority was reached, and is what the pass made of it."""
    applied = {_identity(report.key) for phase in reports for report in phase.objects if report.action in _APPLIED}
    return all(_identity(planned.key) in applied for planned in plan.objects if planned.trusts is not None)


def _identity(key: ObjectKey) -> ObjectKey:
    """Without a namespace: these kinds have none, but a bundle may name one."""
    return replace(key, namespace="")
