"""What an extension says while its upgrade waits, and what counts as the approval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, condition_of
from olmv1.manifests import Manifest
from operator_controller.approval.names import ANNOTATION_APPROVE, ANNOTATION_APPROVED
from operator_controller.revisions.desired import BundleIdentity

__all__ = ["approval_in", "is_approved", "pending", "unspent_approval", "waiting_plan"]

_MOST_SHOWN = 64
_PLAN = re.compile(r" waits for approval of plan ([0-9a-f]{32})(?![0-9a-f])")


def approval_in(annotations: Mapping[str, str]) -> str:
    """The plan that a person has approved; empty without one."""
    return annotations.get(ANNOTATION_APPROVE, "").strip()


def unspent_approval(annotations: Mapping[str, str], revisions: Iterable[Mapping[str, str]]) -> str:
    """The approval on an extension, unless a revision was made by it already; empty without one.

    An approval counts once: `annotations` are those of the extension, `revisions` those of its revisions.
    """
    found = approval_in(annotations)
    return "" if found in {each.get(ANNOTATION_APPROVED) for each in revisions} else found


def is_approved(plan: str, approval: str, under_way: Iterable[Mapping[str, str]] = ()) -> bool:
    """Whether the plan has the unspent `approval`, or is that of a revision on its way, by their annotations."""
    return plan in {approval, *(each.get(ANNOTATION_APPROVED) for each in under_way)}


def pending(installed: BundleIdentity, wanted: BundleIdentity, plan: str, approved: str = "") -> Condition:
    """`UpgradePending`: what waits for whom; another plan that was `approved` is named. Rule: decision 20."""
    text = f"upgrade from {_version(installed)} to {_version(wanted)} waits for approval of plan {plan}"
    if approved and approved != plan:
        shown = approved if len(approved) <= _MOST_SHOWN else f"{approved[:_MOST_SHOWN]}…"
        text += f'; the approval of plan "{shown}" is not for this one'
    return Condition(ConditionType.UPGRADE_PENDING, "True", Reason.APPROVAL_REQUIRED, text)


def waiting_plan(ext: Manifest) -> str:
    """The plan that the condition of an extension says it waits for; empty when nothing waits."""
    condition = condition_of(ext, ConditionType.UPGRADE_PENDING) or {}
    found = _PLAN.search(str(condition.get("message") or "")) if condition.get("status") == "True" else None
    return found[1] if found is not None else ""


def _version(bundle: BundleIdentity) -> str:
    return bundle.version if bundle.release is None else f"{bundle.version}+{bundle.release}"
