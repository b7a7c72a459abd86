"""Uninstalling without eating data: what a deletion would destroy, what the person asked for, and what then stays.

Pure. Called by the end of extensions (which waits for the person) and of revisions (which takes down or lets go).
Rule: applying.md 6 and 10 rows 11 to 13, revisions.md 6.5 and 9 rows 8 and 10.
"""

from operator_controller.uninstall.asked import (
    ANNOTATION_CONFIRM_DELETE_CRDS,
    ANNOTATION_ON_DELETE,
    OnDelete,
    asked_of,
)
from operator_controller.uninstall.letting_go import letting_go, taking_off
from operator_controller.uninstall.losses import Loss, held_text, is_brought, is_doomed, recount_s

__all__ = [
    "ANNOTATION_CONFIRM_DELETE_CRDS",
    "ANNOTATION_ON_DELETE",
    "Loss",
    "OnDelete",
    "asked_of",
    "held_text",
    "is_brought",
    "is_doomed",
    "letting_go",
    "recount_s",
    "taking_off",
]
