"""What an extension should become, without a cluster: from its spec and its revisions to the wanted bundle and rollout.

Called by the reconciler between its reads and its writes.
"""

from operator_controller.target.cluster_upgrade import bundle_facts
from operator_controller.target.extras import (
    ANNOTATION_PAUSED,
    Additions,
    additions_of,
    adoption_of,
    is_paused,
    request_in,
    strange_extras,
)
from operator_controller.target.preconditions import require_account, require_short_name
from operator_controller.target.request import deprecations_of, request_of, selector_of
from operator_controller.target.rollout import needs_rollout, rollout_of
from operator_controller.target.target import Target, for_bundle, target_of

__all__ = [
    "ANNOTATION_PAUSED",
    "Additions",
    "Target",
    "additions_of",
    "adoption_of",
    "bundle_facts",
    "deprecations_of",
    "for_bundle",
    "is_paused",
    "needs_rollout",
    "request_in",
    "request_of",
    "require_account",
    "require_short_name",
    "rollout_of",
    "selector_of",
    "strange_extras",
    "target_of",
]
