"""The pipe between the loop and the worker thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from olmv1.images.pipe import Pipe, PipeCutError, stream_to_thread


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


async def chunks(*data: bytes) -> AsyncIterator[bytes]:
    for chunk in data:
        yield chunk


def read_all(read: Callable[[], bytes]) -> bytes:
    return b"".join(iter(read, b""))


async def test_stream_to_thread_hands_everything_over(executor: ThreadPoolExecutor) -> None:
    data = [bytes([number]) * 1000 for number in range(200)]
    assert await stream_to_thread(executor, chunks(*data), read_all) == b"".join(data)


async def test_put_waits_while_the_pipe_is_full() -> None:
    pipe = Pipe(asyncio.get_running_loop(), capacity_bytes=10)
    assert await pipe.put(b"x" * 10)
    waiting = asyncio.ensure_future(pipe.put(b"y"))
    done, _ = await asyncio.wait([waiting], timeout=0.05)
    assert not done
    assert await asyncio.to_thread(pipe.read) == b"x" * 10
    assert await asyncio.wait_for(waiting, 5)


async def test_put_says_that_the_reader_has_left() -> None:
    pipe = Pipe(asyncio.get_running_loop(), capacity_bytes=1)
    assert await pipe.put(b"x")
    waiting = asyncio.ensure_future(pipe.put(b"y"))
    await asyncio.sleep(0)
    pipe.leave()
    assert not await asyncio.wait_for(waiting, 5)


async def test_an_error_of_the_reader_ends_the_stream(executor: ThreadPoolExecutor) -> None:
    seen = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal seen
        while True:
            seen += 1
            yield b"x" * 1_000_000

    def fail(read: Callable[[], bytes]) -> None:
        read()
        raise ValueError("the reader")

    with pytest.raises(ValueError, match="^the reader$"):
        await asyncio.wait_for(stream_to_thread(executor, endless(), fail), 10)
    assert seen < 20


async def test_an_error_of_the_stream_ends_the_reader(executor: ThreadPoolExecutor) -> None:
    ended: list[type[BaseException]] = []

    async def broken() -> AsyncIterator[bytes]:
        yield b"x"
        raise ValueError("the network")

    def read_on(read: Callable[[], bytes]) -> None:
        try:
            read_all(read)
        except PipeCutError as error:
            ended.append(type(error))
            raise

    with pytest.raises(ValueError, match="^the network$"):
        await stream_to_thread(executor, broken(), read_on)
    assert ended == [PipeCutError]


async def test_a_cancelled_stream_waits_for_its_thread(executor: ThreadPoolExecutor) -> None:
    reading, ended = threading.Event(), threading.Event()

    async def silent() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.Event().wait()

    def read_on(read: Callable[[], bytes]) -> None:
        try:
            reading.set()
            read_all(read)
        finally:
            ended.set()

    task = asyncio.ensure_future(stream_to_thread(executor, silent(), read_on))
    await asyncio.to_thread(reading.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_a_reader_may_end_early(executor: ThreadPoolExecutor) -> None:
    assert await stream_to_thread(executor, chunks(*[b"x"] * 9), lambda read: read()) == b"x"
