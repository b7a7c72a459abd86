"""Waiting for a condition with a deadline, and saying what was wrong when it passes.

Used by the modules here and by tests; it knows nothing of what is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from devcluster.errors import DevClusterError
from devcluster.processes import Process

__all__ = ["wait_for"]

T = TypeVar("T")
_EVERY_S = 0.03
_SELDOM_S = 0.2
"""Between two looks: at once where an answer is near, and later less and less, for looking costs the others time."""
_PATIENCE = 4.0
"""How much longer than said a wait may take: what takes a second alone takes many when every core is busy."""


def wait_for(check: Callable[[], T | None], what: str, *, timeout_s: float = 30, needs: Sequence[Process] = ()) -> T:
    """The first value of `check` that is neither `None` nor false.

    `what` completes "waited for …"; `needs` are programs without which waiting is pointless; `timeout_s` is what an
    idle machine may need at most, a busy one gets four times as much.
    Raises: DevClusterError when a needed program ends or the time passes, with the tail of its log.
    """
    limit_s, pause_s = timeout_s * _PATIENCE, _EVERY_S
    end = time.monotonic() + limit_s
    while True:
        value = check()
        if value is not None and value is not False:
            return value
        _require_running(needs, what)
        if time.monotonic() > end:
            raise DevClusterError(f"waited {limit_s:g} s for {what}{_logs(needs)}")
        time.sleep(pause_s)
        pause_s = min(_SELDOM_S, pause_s * 1.2)


def _require_running(needs: Sequence[Process], what: str) -> None:
    for process in needs:
        code = process.returncode()
        if code is not None:
            name = process.command.name
            raise DevClusterError(f"{name} ended with code {code} while waiting for {what}{_logs([process])}")


def _logs(processes: Sequence[Process]) -> str:
    return "".join(f"\n--- end of {process.command.log} ---\n{process.log_tail()}" for process in processes)
