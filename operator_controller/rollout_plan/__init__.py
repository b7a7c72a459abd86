"""What a rollout would change: objects, rights, images, webhooks, definitions. Pure.

From the objects of the installed revision and those of the wanted one to a `RolloutPlan`, whose hash is what a person
approves. Called by `olm plan`. Rule: issue "Control", decision 20.
"""

from __future__ import annotations

from operator_controller.rollout_plan.fields import FieldChange
from operator_controller.rollout_plan.images import ImageChanges
from operator_controller.rollout_plan.objects import Change, ObjectChange
from operator_controller.rollout_plan.plan import PlanInputs, RolloutPlan, plan_of
from operator_controller.rollout_plan.rights import Risk, RuleChange
from operator_controller.rollout_plan.webhooks import WebhookChange

__all__ = [
    "Change",
    "FieldChange",
    "ImageChanges",
    "ObjectChange",
    "PlanInputs",
    "Risk",
    "RolloutPlan",
    "RuleChange",
    "WebhookChange",
    "plan_of",
]
