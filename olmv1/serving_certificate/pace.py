"""How often the Secret is written: at once as a rule, and slowly where somebody else writes it again and again."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Pace"]

_BURST = 20
_REFILL_S = 30.0


class Pace:
    """Allows twenty tries at once, and one more every thirty seconds. `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left = float(_BURST)
        self._at = clock()

    def wait_s(self) -> float:
        """Seconds until the next try is allowed; zero when it is now."""
        self._refill()
        return max(0.0, (1 - self._left) * _REFILL_S)

    def step(self) -> None:
        """A try is made now."""
        self._refill()
        self._left -= 1

    def _refill(self) -> None:
        now = self._clock()
        self._left = min(float(_BURST), self._left + (now - self._at) / _REFILL_S)
        self._at = now
