"""The rules that remove candidates, one per module, in the order in which they are applied.

A new rule is a module here, a line in `FILTERS` and a test file.
"""

from __future__ import annotations

from operator_controller.resolver.filters.channel import CHANNEL
from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.filters.kubernetes import KUBERNETES
from operator_controller.resolver.filters.major_hold import MAJOR_HOLD
from operator_controller.resolver.filters.release_pin import RELEASE_PIN
from operator_controller.resolver.filters.rollback import ROLLBACK
from operator_controller.resolver.filters.successor import SUCCESSOR
from operator_controller.resolver.filters.version_range import VERSION

__all__ = ["CHANNEL", "FILTERS", "KUBERNETES", "SUCCESSOR", "VERSION", "Filter", "Predicate"]

FILTERS: tuple[Filter, ...] = (CHANNEL, VERSION, RELEASE_PIN, SUCCESSOR, ROLLBACK, MAJOR_HOLD, KUBERNETES)
