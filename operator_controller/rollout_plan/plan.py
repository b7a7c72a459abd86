"""Everything about one rollout as one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from olmv1.manifests import Manifest, key_of
from operator_controller.approval import finding_ids, plan_hash
from operator_controller.authorization import RbacSnapshot
from operator_controller.crd_safety import CrdVerdict
from operator_controller.revisions.desired import BundleIdentity, as_stored
from operator_controller.rollout_plan.images import ImageChanges, image_changes
from operator_controller.rollout_plan.objects import Change, ObjectChange, object_changes
from operator_controller.rollout_plan.rights import RuleChange, rule_changes
from operator_controller.rollout_plan.webhooks import WebhookChange, webhook_changes

__all__ = ["PlanInputs", "RolloutPlan", "plan_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInputs:
    """What a plan is made of.

    `old` are the objects of the installed revision as it stores them, empty for a first install; `new` the rendered
    ones, without those whose kinds the cluster does not have; `basis` and `warnings` are those of the rendering.
    """

    extension: str
    wanted: BundleIdentity
    new: Sequence[Manifest]
    image_digest: str
    installed: BundleIdentity | None = None
    old: Sequence[Manifest] = ()
    definitions: Sequence[CrdVerdict] = ()
    warnings: Sequence[str] = ()
    basis: str = ""
    rbac: RbacSnapshot = field(default_factory=RbacSnapshot)


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """What would change, and the hash that names all of it; `unchanged` counts the objects that stay as they are."""

    hash: str
    installed: BundleIdentity | None
    wanted: BundleIdentity
    image_digest: str
    objects: tuple[ObjectChange, ...]
    unchanged: int
    rights: tuple[RuleChange, ...]
    images: ImageChanges
    webhooks: tuple[WebhookChange, ...]
    definitions: tuple[CrdVerdict, ...]
    warnings: tuple[str, ...]


def plan_of(inputs: PlanInputs) -> RolloutPlan:
    """The plan of a rollout; the same inputs give the same plan, in whatever order objects come."""
    old, new = inputs.old, [as_stored(each, inputs.extension, inputs.wanted) for each in inputs.new]
    changes = object_changes(old, new)
    findings = finding_ids(inputs.definitions, inputs.warnings)
    return RolloutPlan(
        hash=plan_hash(inputs.new, inputs.image_digest, findings, basis=inputs.basis),
        installed=inputs.installed,
        wanted=inputs.wanted,
        image_digest=inputs.image_digest,
        objects=changes,
        unchanged=len(set(map(key_of, new))) - sum(each.change is not Change.REMOVED for each in changes),
        rights=rule_changes(old, new, inputs.rbac),
        images=image_changes(old, new),
        webhooks=webhook_changes(old, new),
        definitions=tuple(inputs.definitions),
        warnings=tuple(inputs.warnings),
    )
