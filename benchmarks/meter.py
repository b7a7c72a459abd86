"""What running processes cost: CPU seconds and memory, as the kernel counts them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.case import MeasuringError

__all__ = ["Meter", "best_of", "best_wall_of"]

_QUIET_S = 0.5
_QUIET_SHARE = 0.02


class Meter:
    """Reads the counters of one process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        # The CPU clock of another process: clock_getcpuclockid(3), which Python does not wrap.
        self._clock = (~pid << 3) | 2

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all threads since the start of the process."""
        return time.clock_gettime(self._clock)

    @property
    def memory_mib(self) -> float:
        """Resident memory now."""
        return self._memory("VmRSS")

    @property
    def peak_mib(self) -> float:
        """The most resident memory since the start or the last `reset_peak`."""
        return self._memory("VmHWM")

    def reset_peak(self) -> None:
        """Let the peak begin anew at what is resident now."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def wait_quiet(self, timeout_s: float = 30) -> None:
        """Wait until the process used at most two percent of a core for half a second."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            before = self.cpu_s
            time.sleep(_QUIET_S)
            if self.cpu_s - before <= _QUIET_S * _QUIET_SHARE:
                return
        raise MeasuringError(f"process {self.pid} is not at rest after {timeout_s:g} s")

    def _memory(self, field: str) -> float:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) / 1024
        raise MeasuringError(f"process {self.pid} has no {field}")


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of `rounds` calls: what others do on the machine only ever adds."""
    seconds = []
    for _ in range(rounds):
        began = time.thread_time()
        work()
        seconds.append(time.thread_time() - began)
    return min(seconds)


def best_wall_of(rounds: int, work: Callable[[], object]) -> float:
    """Wall seconds of the fastest of `rounds` calls."""
    seconds = []
    for _ in range(rounds):
        began = time.monotonic()
        work()
        seconds.append(time.monotonic() - began)
    return min(seconds)
