"""Whether a target needs a new revision, and what that revision is of. Rule: revisions.md 7.1 and 9 rows 6, 11, 20."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.api.cluster_extension import ClusterExtension
from operator_controller.revisions.desired import BundleIdentity, Rollout, inputs_digest
from operator_controller.revisions.view import RevisionView, active

__all__ = ["needs_rollout", "rollout_of"]


def rollout_of(ext: ClusterExtension, bundle: BundleIdentity) -> Rollout:
    """The revision that `ext` wants; the properties of the bundle are added once it is read."""
    account = ext.spec.service_account.name
    config = ext.spec.config.inline if ext.spec.config is not None else None
    return Rollout(
        extension=ext.name,
        extension_uid=ext.uid,
        bundle=bundle,
        account=None if account is None else (ext.spec.namespace, account),
        inputs=inputs_digest(bundle, ext.spec.namespace, account, config),
        properties=None,
        deadline_min=ext.spec.progress_deadline_minutes,
    )


def needs_rollout(rollout: Rollout, revisions: Sequence[RevisionView], *, has_content: bool = True) -> bool:
    """Whether the newest active revision is of something else, or of an image that never came up and was replaced.

    Also when its content is lost (`has_content` is false): nothing can repair its objects any more.
    """
    existing = active(revisions)
    if not existing or not has_content:
        return True
    newest = existing[-1]
    if newest.inputs != rollout.inputs:
        return True
    return not newest.has_succeeded and newest.bundle.image != rollout.bundle.image
