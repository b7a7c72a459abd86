"""What an upgrade of the cluster needs of its extensions: who forbids it, who speaks against it, and the way out.

Pure, above the resolver and its explanations. Called by `olm check-upgrade`. Rule: upgradeable.md 6.6.
"""

from __future__ import annotations

from operator_controller.upgrade_plan.advice import Advisory, AdvisoryKind
from operator_controller.upgrade_plan.goal import ClusterFacts, Goal, Platform, goal_of
from operator_controller.upgrade_plan.judging import Answer, ExtensionPlan, Objects, Subject, judge
from operator_controller.upgrade_plan.plan import UpgradePlan, plan_of
from operator_controller.upgrade_plan.way_out import Change, Successor, WayOut

__all__ = [
    "Advisory",
    "AdvisoryKind",
    "Answer",
    "Change",
    "ClusterFacts",
    "ExtensionPlan",
    "Goal",
    "Objects",
    "Platform",
    "Subject",
    "Successor",
    "UpgradePlan",
    "WayOut",
    "goal_of",
    "judge",
    "plan_of",
]
