"""Conditions of a status: building, stamping and reading them.

Only the `status` rooms of the components build conditions; they hand them to `stamp_all`, which alone knows about
observed generations, transition times and the limits of the API server.
"""

from olmv1.conditions.condition import Condition, Truth, condition_of, is_true, stamp_all, status_patch
from olmv1.conditions.messages import MESSAGE_LIMIT, cut_message, scrub

__all__ = [
    "MESSAGE_LIMIT",
    "Condition",
    "Truth",
    "condition_of",
    "cut_message",
    "is_true",
    "scrub",
    "stamp_all",
    "status_patch",
]
