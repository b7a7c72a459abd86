"""What takes long, on standard error: a moving line on a terminal, one plain line elsewhere, nothing when it is quick.

A thread of its own draws, so a loop that is busy parsing does not stop it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["working"]

_QUIET_S = 0.5
"""Shorter work says nothing on a terminal."""
_PLAIN_QUIET_S = 2.0
"""Shorter work says nothing in a log."""
_FRAME_S = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@contextmanager
def working(on: str | Callable[[], str]) -> Iterator[None]:
    """Show `on` ("pulling quay.io/example/catalog:latest"), or what it says now, while the block runs."""
    done = threading.Event()
    text = on if callable(on) else lambda: on
    painter = threading.Thread(target=_paint, args=(text, done), daemon=True)
    painter.start()
    try:
        yield
    finally:
        done.set()
        painter.join()


def _paint(on: Callable[[], str], done: threading.Event) -> None:
    is_terminal = sys.stderr.isatty()
    began = time.monotonic()
    if done.wait(_QUIET_S if is_terminal else _PLAIN_QUIET_S):
        return
    if not is_terminal:
        print(f"{on()} …", file=sys.stderr, flush=True)
        return
    number = 0
    while not done.wait(_FRAME_S):
        frame = _FRAMES[number % len(_FRAMES)]
        sys.stderr.write(f"\r\x1b[2K{frame} {on()} ({time.monotonic() - began:.0f} s)")
        sys.stderr.flush()
        number += 1
    sys.stderr.write("\r\x1b[2K")
    sys.stderr.flush()
