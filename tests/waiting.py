"""Waiting for a condition with a deadline, for coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["eventually"]


async def eventually(condition: Callable[[], object], *, deadline_s: float = 10.0) -> None:
    """Return when `condition()` is true; fail with TimeoutError when it is not within `deadline_s`."""
    async with asyncio.timeout(deadline_s):
        while not condition():  # noqa: ASYNC110 - the condition may be that of another process
            await asyncio.sleep(0.005)
