from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from prometheus_client import CollectorRegistry
from structlog.contextvars import get_contextvars
from structlog.testing import capture_logs

from olmv1.errors import RetryableError, TerminalError
from olmv1.kube.controller import Controller, Result
from olmv1.kube.queue import Backoff
from tests.waiting import eventually

Reconcile = Callable[[str], Awaitable[Result]]


@asynccontextmanager
async def running(controller: Controller) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(controller.run())
        yield
        task.cancel()


def counts(registry: CollectorRegistry, *names: str) -> dict[str, float]:
    found = {name: registry.get_sample_value(f"controller_runtime_{name}", {"controller": "test"}) for name in names}
    return {name: value for name, value in found.items() if value}


def results(registry: CollectorRegistry) -> dict[str, float]:
    (family,) = [family for family in registry.collect() if family.name == "controller_runtime_reconcile"]
    totals = [sample for sample in family.samples if sample.name.endswith("_total") and sample.value]
    return {sample.labels["result"]: sample.value for sample in totals}


def scripted(*answers: Result | Exception) -> tuple[Reconcile, list[str]]:
    """A reconcile that gives one answer after the other, the last one for ever, and the keys it was asked for."""
    seen: list[str] = []

    async def reconcile(key: str) -> Result:
        seen.append(key)
        answer = answers[min(len(seen), len(answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return reconcile, seen


async def test_a_key_that_is_added_before_the_start_is_reconciled_once() -> None:
    reconcile, seen = scripted(Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry)
    controller.enqueue("a")
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: results(registry))
    assert (seen, results(registry)) == (["a"], {"success": 1.0})


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(Result(error=RetryableError("later")), id="as result"),
        pytest.param(RetryableError("later"), id="raised"),
    ],
)
async def test_a_retryable_error_comes_again_with_backoff(failure: Result | Exception) -> None:
    reconcile, seen = scripted(failure, failure, Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry)
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: results(registry).get("success"))
    assert (len(seen), results(registry)) == (3, {"error": 2.0, "success": 1.0})
    assert counts(registry, "reconcile_errors_total", "terminal_reconcile_errors_total") == {
        "reconcile_errors_total": 2.0
    }


async def test_retry_after_wins_over_the_backoff() -> None:
    reconcile, seen = scripted(RetryableError("busy", retry_after_s=0.01), Result())
    controller = Controller("test", reconcile, backoff=Backoff(1000))
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: len(seen) == 2)


async def test_a_failure_comes_again_no_later_than_the_result_says() -> None:
    reconcile, seen = scripted(Result(error=RetryableError("no"), requeue_after_s=0.01), Result())
    controller = Controller("test", reconcile, backoff=Backoff(1000))
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: len(seen) == 2)


async def test_a_terminal_error_waits_for_the_next_event() -> None:
    reconcile, seen = scripted(TerminalError("never"), Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry, backoff=Backoff(0.001))
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: counts(registry, "terminal_reconcile_errors_total"))
        other = Controller("other", scripted(Result())[0])
        other.enqueue("b")
        assert len(seen) == 1
        controller.enqueue("a")
        await eventually(lambda: results(registry).get("success"))
    assert results(registry) == {"error": 1.0, "success": 1.0}


async def test_a_result_with_a_delay_comes_again() -> None:
    reconcile, seen = scripted(Result(requeue_after_s=0.01), Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry)
    controller.enqueue_after("a", 0.01)
    async with running(controller):
        await eventually(lambda: len(results(registry)) == 2)
    assert (len(seen), results(registry)) == (2, {"requeue_after": 1.0, "success": 1.0})


async def test_a_bug_is_counted_and_logged_once_with_its_traceback() -> None:
    reconcile, seen = scripted(KeyError("secret"), KeyError("secret"), Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry)
    controller.enqueue("a")
    with capture_logs() as lines:
        async with running(controller):
            await eventually(lambda: results(registry).get("success"))
    bugs = [(line["problem"], line["exc_info"] is not None) for line in lines if line["log_level"] == "error"]
    assert (len(seen), bugs) == (3, [("KeyError", True), ("KeyError", False)])
    assert counts(registry, "reconcile_panics_total") == {"reconcile_panics_total": 2.0}


async def test_a_reconcile_over_its_deadline_is_ended_and_tried_again() -> None:
    seen: list[str] = []

    async def reconcile(key: str) -> Result:
        seen.append(key)
        if len(seen) == 1:
            await asyncio.Event().wait()
        return Result()

    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry, deadline_s=0.02)
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: results(registry).get("success"))
    assert counts(registry, "reconcile_timeouts_total") == {"reconcile_timeouts_total": 1.0}


async def test_a_timeout_of_the_reconcile_itself_is_a_bug() -> None:
    reconcile, _ = scripted(TimeoutError(), Result())
    registry = CollectorRegistry()
    controller = Controller("test", reconcile, registry=registry, deadline_s=60)
    controller.enqueue("a")
    async with running(controller):
        await eventually(lambda: results(registry).get("success"))
    assert counts(registry, "reconcile_timeouts_total", "reconcile_panics_total") == {"reconcile_panics_total": 1.0}


async def test_one_key_never_runs_twice_at_a_time_and_several_run_together() -> None:
    busy: set[str] = set()
    overlaps, together = 0, 0

    async def reconcile(key: str) -> Result:
        nonlocal overlaps, together
        overlaps += key in busy
        busy.add(key)
        together = max(together, len(busy))
        controller.enqueue(key) if overlaps == 0 and done[key] < 5 else None
        await asyncio.sleep(0.001)
        busy.discard(key)
        done[key] += 1
        return Result()

    done = {"a": 0, "b": 0, "c": 0}
    controller = Controller("test", reconcile, workers=2)
    for key in done:
        controller.enqueue(key)
    async with running(controller):
        await eventually(lambda: min(done.values()) >= 5)
    assert (overlaps, together) == (0, 2)


async def test_stop_lets_the_work_under_way_end() -> None:
    started, may_end, ended = asyncio.Event(), asyncio.Event(), []

    async def reconcile(key: str) -> Result:
        started.set()
        await may_end.wait()
        ended.append(key)
        return Result()

    controller = Controller("test", reconcile, workers=1)
    controller.enqueue("a")
    controller.enqueue("b")
    async with asyncio.TaskGroup() as group:
        task = group.create_task(controller.run())
        await asyncio.wait_for(started.wait(), 1)
        controller.stop()
        may_end.set()
        await asyncio.wait_for(task, 1)
    assert (ended, controller.is_running) == (["a"], False)


async def test_cancelling_ends_the_reconcile_at_once() -> None:
    started, problems = asyncio.Event(), []

    async def reconcile(key: str) -> Result:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            problems.append(key)
            raise
        return Result()

    controller = Controller("test", reconcile)
    controller.enqueue("a")
    async with running(controller):
        await asyncio.wait_for(started.wait(), 1)
    assert (problems, controller.is_running) == (["a"], False)


@pytest.mark.parametrize(
    ("result", "line"),
    [
        pytest.param(Result(), {"log_level": "debug", "outcome": "success"}, id="at rest"),
        pytest.param(
            Result(outcome="Succeeded", is_notable=True, requeue_after_s=60.0),
            {"log_level": "info", "outcome": "Succeeded", "requeue_after_s": 60.0},
            id="notable",
        ),
        pytest.param(
            Result(error=TerminalError("bad range")),
            {"log_level": "info", "outcome": "error", "error": "bad range"},
            id="failed",
        ),
    ],
)
async def test_every_reconcile_writes_one_line(result: Result, line: dict[str, object]) -> None:
    context = {}

    async def reconcile(_: str) -> Result:
        context.update(get_contextvars())
        return result

    controller = Controller("test", reconcile)
    controller.enqueue("a")
    with capture_logs() as lines:
        async with running(controller):
            await eventually(lambda: lines)
    (found,) = lines
    found.pop("duration_s")
    assert found == {"event": "reconciled", "module": "olmv1.kube.controller", "requeue_after_s": None, **line}
    assert context == {"controller": "test", "name": "a"}


async def test_wake_begins_the_backoff_anew() -> None:
    reconcile, seen = scripted(Result(error=RetryableError("not there")))
    with capture_logs() as lines:
        controller = Controller("test", reconcile, backoff=Backoff(60.0, 2.0, 1000.0))
        async with running(controller):
            for add in (controller.enqueue, controller.enqueue, controller.wake):
                lines_before = len(lines)
                add("a")
                await eventually(lambda: len(lines) > lines_before)  # noqa: B023 - called in this turn only
    assert ([line["requeue_after_s"] for line in lines], seen) == ([60.0, 120.0, 60.0], ["a"] * 3)
