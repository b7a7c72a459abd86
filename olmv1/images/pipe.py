"""A bounded pipe of bytes from the event loop to one worker thread.

Shell. The loop puts what the network brings and waits while the pipe is full; the thread reads and blocks while it is
empty. Neither side ever holds more than the capacity plus one chunk.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from typing import TypeVar

__all__ = ["Pipe", "PipeCutError", "stream_to_thread"]

Value = TypeVar("Value")
_CAPACITY_BYTES = 4 * 1024 * 1024


class PipeCutError(Exception):
    """The writer gave up: there is nothing left to do for the reader."""


class Pipe:
    """One stream; `put`, `finish` and `cut` belong to the loop, `read` and `leave` to the thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, capacity_bytes: int = _CAPACITY_BYTES) -> None:
        self._loop = loop
        self._capacity = capacity_bytes
        self._room = asyncio.Event()
        self._changed = threading.Condition()
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._is_finished = False
        self._is_cut = False
        self._has_reader = True

    async def put(self, chunk: bytes) -> bool:
        """Hand `chunk` over, waiting for room; `False` when the reader has left and nothing more is wanted."""
        while True:
            with self._changed:
                if not self._has_reader:
                    return False
                if self._held < self._capacity:
                    self._chunks.append(chunk)
                    self._held += len(chunk)
                    self._changed.notify()
                    return True
                self._room.clear()
            await self._room.wait()

    def finish(self) -> None:
        """Say that everything was put."""
        with self._changed:
            self._is_finished = True
            self._changed.notify()

    def cut(self) -> None:
        """Make the reader stop at its next read, whatever is left."""
        with self._changed:
            self._is_cut = True
            self._changed.notify()

    def read(self) -> bytes:
        """The next chunk, of any size but empty; empty at the end. Blocks the calling thread.

        Raises:
            PipeCutError: the writer gave up.
        """
        with self._changed:
            while not self._chunks and not self._is_finished and not self._is_cut:
                self._changed.wait()
            if self._is_cut:
                raise PipeCutError
            if not self._chunks:
                return b""
            chunk = self._chunks.popleft()
            was_full = self._held >= self._capacity
            self._held -= len(chunk)
            if was_full and self._held < self._capacity:
                self._wake_writer()
            return chunk

    def leave(self) -> None:
        """Say that nothing more is read."""
        with self._changed:
            self._has_reader = False
            self._wake_writer()

    def _wake_writer(self) -> None:
        # The loop is closed only when the process ends and nobody waits any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._room.set)


async def stream_to_thread(
    executor: Executor, chunks: AsyncIterator[bytes], work: Callable[[Callable[[], bytes]], Value]
) -> Value:
    """The result of `work(read)`, run in a thread of `executor` while `chunks` arrive.

    An error of `work` or of `chunks` ends both sides and is raised; also when cancelled, the thread has ended when
    this returns.
    """
    loop = asyncio.get_running_loop()
    pipe = Pipe(loop)

    def run() -> Value:
        try:
            return work(pipe.read)
        finally:
            pipe.leave()

    done = asyncio.wrap_future(executor.submit(run))
    try:
        async for chunk in chunks:
            if not await pipe.put(chunk):
                break
        pipe.finish()
        return await asyncio.shield(done)
    except BaseException:
        pipe.cut()
        await _ended(done)
        raise


async def _ended(done: asyncio.Future[Value]) -> None:
    """Wait until the thread has ended, even when cancelled again: it must not call anybody afterwards."""
    while not done.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([done])
    # Whatever it raised after the cut is a consequence of what our caller raises.
    with contextlib.suppress(BaseException):
        done.exception()
