"""What is looked at between rendering and the first write, without touching the cluster.

Called by the reconciler of extensions with the rendered objects and with what the cluster serves.
"""

from operator_controller.preflight.kinds import (
    KindsCheck,
    MissingKindsError,
    check_kinds,
    groups_of,
    optional_kinds_differ,
)
from operator_controller.preflight.webhooks import calls_webhooks

__all__ = ["KindsCheck", "MissingKindsError", "calls_webhooks", "check_kinds", "groups_of", "optional_kinds_differ"]
