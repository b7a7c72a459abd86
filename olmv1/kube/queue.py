"""Keys that wait to be reconciled: each once, each with one worker at a time, failures later and later.

`olmv1.kube.controller` calls it; it starts no task and does no I/O. Time and randomness are arguments.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from olmv1.kube.metrics import QueueMetrics

__all__ = ["Backoff", "WorkQueue"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds to wait after the n-th failure in a row: `base_s * factor**(n-1)`, never more than `cap_s`.

    With `jitter` the delay is drawn evenly between zero and that value, so that many failures spread.
    """

    base_s: float
    factor: float = 2.0
    cap_s: float = 1000.0
    jitter: bool = False

    def delay_s(self, failures: int, draw: Callable[[], float] = random.random) -> float:
        """The delay after `failures` failures in a row (at least 1); `draw` gives numbers from 0 to 1."""
        # Beyond 64 doublings the power alone is over any cap, and later over what a float holds.
        delay = min(self.cap_s, self.base_s * self.factor ** min(failures - 1, 64))
        return delay * draw() if self.jitter else delay


class WorkQueue:
    """The queue of one controller, for any number of workers on one event loop.

    A key that is added while it waits stays once; added while it is processed it comes again when that is done. `add`
    runs a key at once, whatever delay it had; of several delays the earliest counts.
    """

    def __init__(
        self,
        name: str,
        backoff: Backoff,
        *,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
        registry: CollectorRegistry | None = None,
    ) -> None:
        self._backoff = backoff
        self._clock = clock
        self._draw = draw
        self._ready: deque[str] = deque()
        self._waiting: dict[str, float] = {}  # ready keys and since when
        self._processing: dict[str, float] = {}
        self._dirty: set[str] = set()  # added while processed
        self._due: dict[str, float] = {}
        self._timeline: list[tuple[float, str]] = []  # heap over _due; entries that disagree with it are void
        self._failures: dict[str, int] = {}
        self._changed = asyncio.Event()
        self._is_closed = False
        self._metrics = QueueMetrics(registry or CollectorRegistry(), name)
        self._metrics.watch(lambda: float(len(self._ready)), self._ages)

    def add(self, key: str) -> None:
        """Let a worker take `key` as soon as one is free; a delay of the key is forgotten, its failures are not."""
        self._due.pop(key, None)
        self._make_ready(key)

    def add_after(self, key: str, delay_s: float) -> None:
        """Add `key` in `delay_s` seconds, or earlier when that is planned already."""
        if delay_s <= 0:
            self.add(key)
            return
        due = self._clock() + delay_s
        if key in self._waiting or self._due.get(key, due) < due:
            return
        self._due[key] = due
        if len(self._timeline) > 2 * len(self._due) + 64:
            self._timeline = [(moment, planned) for planned, moment in self._due.items()]
            heapq.heapify(self._timeline)
        else:
            heapq.heappush(self._timeline, (due, key))
        self._changed.set()

    def add_failed(self, key: str, *, at_most_s: float | None = None) -> float:
        """Count a failure of `key`, add it after its backoff, and return that delay in seconds.

        `at_most_s` shortens the delay, for a key that has a deadline of its own.
        """
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        delay = self._backoff.delay_s(failures, self._draw)
        delay = delay if at_most_s is None else min(delay, at_most_s)
        self._metrics.retries.inc()
        self.add_after(key, delay)
        return delay

    def forget(self, key: str) -> None:
        """Start the backoff of `key` anew: it succeeded, or is no more."""
        self._failures.pop(key, None)

    def failures(self, key: str) -> int:
        """How often `key` failed in a row."""
        return self._failures.get(key, 0)

    def take(self) -> str | None:
        """A key that is ready now, or `None`; the caller owes `done`."""
        self._promote()
        if not self._ready:
            return None
        key, now = self._ready.popleft(), self._clock()
        self._metrics.wait.observe(now - self._waiting.pop(key))
        self._processing[key] = now
        return key

    def done(self, key: str) -> None:
        """Say that a taken key is processed; it comes again when it was added meanwhile."""
        started = self._processing.pop(key)
        self._metrics.work.observe(self._clock() - started)
        if key in self._dirty:
            self._dirty.discard(key)
            self._due.pop(key, None)  # the pass that follows at once decides anew when the next one is
            self._make_ready(key)

    async def get(self) -> str | None:
        """The next key, waiting for one; `None` once the queue is closed. The caller owes `done`."""
        while not self._is_closed:
            key = self.take()
            if key is not None:
                return key
            await self._wait()
        return None

    def close(self) -> None:
        """Hand out no more keys: every waiting and later `get` returns `None`."""
        self._is_closed = True
        self._changed.set()

    async def _wait(self) -> None:
        """Until a key may be ready; one timer serves all workers, and a queue at rest sets none."""
        self._changed.clear()
        timer = None
        if self._timeline:
            delay = max(0.0, self._timeline[0][0] - self._clock())
            timer = asyncio.get_running_loop().call_later(delay, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _make_ready(self, key: str) -> None:
        if key in self._processing:
            if key not in self._dirty:
                self._dirty.add(key)
                self._metrics.adds.inc()
        elif key not in self._waiting:
            self._waiting[key] = self._clock()
            self._ready.append(key)
            self._metrics.adds.inc()
            self._changed.set()

    def _promote(self) -> None:
        """Move every key whose delay is over to the ready ones."""
        now = self._clock()
        while self._timeline and (self._timeline[0][0] <= now or self._is_void(self._timeline[0])):
            entry = heapq.heappop(self._timeline)
            if not self._is_void(entry):
                del self._due[entry[1]]
                self._make_ready(entry[1])

    def _is_void(self, entry: tuple[float, str]) -> bool:
        return self._due.get(entry[1]) != entry[0]

    def _ages(self) -> list[float]:
        now = self._clock()
        return [now - started for started in self._processing.values()]
