"""Whether a target needs a new revision, and what that revision is of. Rule: revisions.md 7.1 and 9 rows 6, 11, 20."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.served import Served
from operator_controller.chart import still_hold
from operator_controller.preflight import optional_kinds_differ
from operator_controller.revisions.desired import (
    ANNOTATION_CAPABILITIES,
    ANNOTATION_CERTIFICATES,
    ANNOTATION_OPTIONAL_KINDS,
    BundleIdentity,
    Rollout,
    inputs_digest,
)
from operator_controller.revisions.view import RevisionView, active
from operator_controller.target.extras import Additions

__all__ = ["needs_rollout", "rollout_of"]


def rollout_of(ext: ClusterExtension, bundle: BundleIdentity, additions: Additions) -> Rollout:
    """The revision that `ext` wants; what the bundle says about itself is added once it is read."""
    account = ext.spec.service_account.name
    config = ext.spec.config.inline if ext.spec.config is not None else None
    return Rollout(
        extension=ext.name,
        extension_uid=ext.uid,
        bundle=bundle,
        account=None if account is None else (ext.spec.namespace, account),
        inputs=inputs_digest(bundle, ext.spec.namespace, account, config, additions.to_json()),
        properties=None,
        deadline_min=ext.spec.progress_deadline_minutes,
        collision_protection=additions.collision_protection,
    )


def needs_rollout(
    rollout: Rollout,
    revisions: Sequence[RevisionView],
    served: Served,
    *,
    has_content: bool = True,
    provider: str = "",
) -> bool:
    """Whether the newest active revision is of something else, or of another image than the one that is wanted.

    Also when one that never came up may take over more than it could, or less; when the cluster answers otherwise what
    the objects depend on; when the certificates of its webhooks are to come from another `provider` (empty: whoever
    makes them now); and when the content of the revision is lost (`has_content` is false): nothing can repair its
    objects any more.
    """
    existing = active(revisions)
    if not existing or not has_content:
        return True
    newest = existing[-1]
    if newest.inputs != rollout.inputs or newest.bundle.image != rollout.bundle.image:
        return True
    if not newest.has_succeeded and newest.collision_protection != rollout.collision_protection:
        return True
    recorded = newest.annotations
    if provider and recorded.get(ANNOTATION_CERTIFICATES, provider) != provider:
        return True
    return optional_kinds_differ(recorded.get(ANNOTATION_OPTIONAL_KINDS, ""), served) or not still_hold(
        recorded.get(ANNOTATION_CAPABILITIES), served
    )
