"""How soon a key that is woken often is worked on: at once, and then again after a pause, however often it was woken.

A rollout is told by dozens of events within a moment; one pass for all of them writes one status instead of dozens.
"""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Pace"]

PAUSE_S = 0.2
"""Between two passes that were caused by the same kind of event; short against anything that a person waits for."""

_KEPT = 4096


class Pace:
    """Delays by key; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, float] = {}

    def delay_s(self, key: str) -> float:
        """Seconds to wait before working on `key`: 0 when the last time is long enough ago."""
        now = self._clock()
        wait_s = self._last.get(key, now - PAUSE_S) + PAUSE_S - now
        if wait_s > 0:
            return wait_s
        if len(self._last) >= _KEPT:
            self._last = {kept: at for kept, at in self._last.items() if at + PAUSE_S > now}
        self._last[key] = now
        return 0.0
