from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from olmv1.kube.queue import Backoff, WorkQueue


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> WorkQueue:
    return WorkQueue("test", Backoff(0.005), clock=clock, draw=lambda: 0.5)


def drain(queue: WorkQueue) -> list[str]:
    keys = []
    while (key := queue.take()) is not None:
        keys.append(key)
        queue.done(key)
    return keys


@pytest.mark.parametrize(
    ("backoff", "delays"),
    [
        pytest.param(Backoff(0.005), {1: 0.005, 2: 0.01, 3: 0.02, 18: 655.36, 19: 1000.0, 5000: 1000.0}, id="default"),
        pytest.param(Backoff(1, 2, 600, jitter=True), {1: 0.5, 2: 1.0, 10: 256.0, 11: 300.0}, id="full jitter"),
    ],
)
def test_backoff_doubles_up_to_its_cap(backoff: Backoff, delays: dict[int, float]) -> None:
    assert {failures: backoff.delay_s(failures, lambda: 0.5) for failures in delays} == delays


def test_add_keeps_a_waiting_key_once_and_in_order(queue: WorkQueue) -> None:
    for key in ("a", "b", "a"):
        queue.add(key)
    assert drain(queue) == ["a", "b"]


def test_add_lets_a_key_come_again_only_after_it_is_done(queue: WorkQueue) -> None:
    queue.add("a")
    taken = queue.take()
    queue.add("a")
    queue.add("a")
    assert (taken, queue.take()) == ("a", None)
    queue.done("a")
    assert drain(queue) == ["a"]


def test_add_after_waits_for_its_time(queue: WorkQueue, clock: Clock) -> None:
    queue.add_after("a", 5)
    assert drain(queue) == []
    clock.now += 5
    assert drain(queue) == ["a"]


@pytest.mark.parametrize("delays", [pytest.param((9, 3), id="earlier later"), pytest.param((3, 9), id="later later")])
def test_add_after_lets_the_earliest_of_several_delays_count(
    queue: WorkQueue, clock: Clock, delays: tuple[float, float]
) -> None:
    for delay in delays:
        queue.add_after("a", delay)
    clock.now += 3
    assert drain(queue) == ["a"]
    clock.now += 100
    assert drain(queue) == []


def test_add_after_zero_runs_at_once(queue: WorkQueue) -> None:
    queue.add_after("a", 0)
    assert drain(queue) == ["a"]


def test_add_after_is_void_while_the_key_waits_for_a_worker(queue: WorkQueue, clock: Clock) -> None:
    queue.add("a")
    queue.add_after("a", 1)
    assert drain(queue) == ["a"]
    clock.now += 2
    assert drain(queue) == []


def test_a_new_event_runs_at_once_whatever_the_backoff(queue: WorkQueue, clock: Clock) -> None:
    for _ in range(15):
        queue.add_failed("a")
    queue.add("a")
    assert drain(queue) == ["a"]
    clock.now += 2000
    assert drain(queue) == []


def test_add_failed_doubles_until_forgotten(queue: WorkQueue) -> None:
    delays = [queue.add_failed("a") for _ in range(3)]
    assert (delays, queue.failures("a")) == ([0.005, 0.01, 0.02], 3)
    queue.forget("a")
    assert (queue.add_failed("a"), queue.failures("a")) == (0.005, 1)


def test_add_failed_keeps_the_deadline_of_the_caller(queue: WorkQueue) -> None:
    for _ in range(19):
        queue.add_failed("a")
    assert queue.add_failed("a", at_most_s=60) == 60


def test_done_forgets_a_delay_that_the_dirty_pass_will_decide_anew(queue: WorkQueue, clock: Clock) -> None:
    queue.add("a")
    queue.take()
    queue.add("a")
    queue.add_after("a", 5)
    queue.done("a")
    assert drain(queue) == ["a"]
    clock.now += 10
    assert drain(queue) == []


def test_a_delay_that_ends_during_processing_brings_the_key_again(queue: WorkQueue, clock: Clock) -> None:
    queue.add("a")
    queue.take()
    queue.add_after("a", 1)
    clock.now += 2
    assert queue.take() is None
    queue.done("a")
    assert drain(queue) == ["a"]


def test_many_changed_delays_do_not_pile_up(queue: WorkQueue) -> None:
    for number in range(10_000):
        queue.add_after("a", 20_000 - number)
    assert len(queue._timeline) < 100


async def test_get_waits_for_a_key(queue: WorkQueue) -> None:
    waiting = asyncio.ensure_future(queue.get())
    await asyncio.sleep(0)
    queue.add("a")
    assert await asyncio.wait_for(waiting, 1) == "a"


async def test_get_wakes_when_a_delay_is_over() -> None:
    queue = WorkQueue("test", Backoff(0.005))
    queue.add_after("late", 0.02)
    queue.add_after("early", 0.01)
    keys = [await asyncio.wait_for(queue.get(), 1) for _ in range(2)]
    assert keys == ["early", "late"]


async def test_get_ends_for_every_worker_when_closed(queue: WorkQueue) -> None:
    workers = [asyncio.ensure_future(queue.get()) for _ in range(3)]
    await asyncio.sleep(0)
    queue.close()
    assert await asyncio.wait_for(asyncio.gather(*workers), 1) == [None, None, None]


def test_metrics_tell_depth_adds_retries_and_ages(clock: Clock) -> None:
    registry = CollectorRegistry()
    queue = WorkQueue("ext", Backoff(0.005), clock=clock, registry=registry)
    for key in ("a", "b", "b"):
        queue.add(key)
    queue.take()
    queue.add_failed("c")
    clock.now += 0.001
    labels = {"name": "ext", "controller": "ext"}
    names = ("depth", "adds_total", "retries_total", "unfinished_work_seconds", "queue_duration_seconds_count")
    values = {name: registry.get_sample_value(f"workqueue_{name}", labels) for name in names}
    assert values == {
        "depth": 1.0,
        "adds_total": 2.0,
        "retries_total": 1.0,
        "unfinished_work_seconds": pytest.approx(0.001),
        "queue_duration_seconds_count": 1.0,
    }
