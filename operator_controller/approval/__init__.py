"""Whether an upgrade waits for a person, and what exactly that person approves. Rule: decision 20. Pure.

Called by the reconciler of extensions between rendering and creating, and by `olm plan` and `olm approve`, so that both
come to the same hash.
"""

from __future__ import annotations

from operator_controller.approval.names import ANNOTATION_APPROVE, ANNOTATION_APPROVED, ANNOTATION_UPGRADE_POLICY
from operator_controller.approval.plan_hash import finding_ids, plan_hash
from operator_controller.approval.policy import UpgradePolicy, needs_approval, policy_of
from operator_controller.approval.waiting import approval_in, is_approved, pending, unspent_approval, waiting_plan

__all__ = [
    "ANNOTATION_APPROVE",
    "ANNOTATION_APPROVED",
    "ANNOTATION_UPGRADE_POLICY",
    "UpgradePolicy",
    "approval_in",
    "finding_ids",
    "is_approved",
    "needs_approval",
    "pending",
    "plan_hash",
    "policy_of",
    "unspent_approval",
    "waiting_plan",
]
