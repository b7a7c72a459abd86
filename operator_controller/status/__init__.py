"""Status, computed in one place: pure functions from what a pass has learned to what is written."""

from operator_controller.status.extension import extension_status
from operator_controller.status.object_set import object_set_status

__all__ = ["extension_status", "object_set_status"]
