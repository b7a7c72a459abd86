"""The worker loop: takes keys, reconciles each, decides when it comes again, counts and logs.

Reconcilers of both components run in it. It knows no kind and no rule of OLM: a reconcile is a coroutine that takes a
key and returns a `Result`.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry
from structlog.contextvars import bound_contextvars

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.metrics import ControllerMetrics
from olmv1.kube.queue import Backoff, WorkQueue
from olmv1.telemetry.logs import get_logger

__all__ = ["Controller", "Result"]

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Result:
    """What a reconcile ended with, and so when its key comes again.

    * no error: not before the next event, or after `requeue_after_s`; the backoff starts anew.
    * `RetryableError`: after its `retry_after_s`, else after the backoff; never later than `requeue_after_s`.
    * `TerminalError`: not before the next event, or after `requeue_after_s`; the backoff stays as it is.

    `outcome` is the word or reason that the log line shows; `is_notable` says that something changed in the cluster or
    was decided: the line is info then, else debug.
    """

    requeue_after_s: float | None = None
    error: OlmError | None = None
    outcome: str = ""
    is_notable: bool = False


@dataclass(frozen=True, slots=True)
class _Verdict:
    """How one pass is counted: the `result` label, and the delay until the next one if there is one."""

    result: str
    requeue_after_s: float | None


class Controller:
    """A queue of keys and the workers that reconcile them; one key never runs twice at a time."""

    def __init__(  # noqa: PLR0913 - wiring names every knob of a controller
        self,
        name: str,
        reconcile: Callable[[str], Awaitable[Result]],
        *,
        workers: int = 4,
        backoff: Backoff | None = None,
        registry: CollectorRegistry | None = None,
        deadline_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        registry = registry or CollectorRegistry()
        self.name = name
        self._reconcile = reconcile
        self._workers = workers
        self._deadline_s = deadline_s
        self._clock = clock
        self._metrics = ControllerMetrics(registry, name, workers)
        self._queue = WorkQueue(name, backoff or Backoff(0.005), clock=clock, draw=draw, registry=registry)
        self._is_running = False

    @property
    def is_running(self) -> bool:
        """Whether workers take keys."""
        return self._is_running

    def enqueue(self, key: str) -> None:
        """Reconcile `key` as soon as a worker is free, whatever backoff it had; safe to call before `run`."""
        self._queue.add(key)

    def wake(self, key: str) -> None:
        """`enqueue`, with the backoff begun anew: for a change that may have removed the cause of the failures."""
        self._queue.forget(key)
        self._queue.add(key)

    def enqueue_after(self, key: str, delay_s: float) -> None:
        """Reconcile `key` in `delay_s` seconds, unless an event or an earlier delay comes first."""
        self._queue.add_after(key, delay_s)

    async def run(self) -> None:
        """Work until cancelled, or until `stop` and the end of what is under way."""
        self._is_running = True
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._work())
        finally:
            self._is_running = False

    def stop(self) -> None:
        """Take no more keys; `run` returns when the reconciles under way are done."""
        self._queue.close()

    async def _work(self) -> None:
        while (key := await self._queue.get()) is not None:
            self._metrics.active.inc()
            try:
                with bound_contextvars(controller=self.name, name=key):
                    await self._pass(key)
            finally:
                self._metrics.active.dec()
                self._queue.done(key)

    async def _pass(self, key: str) -> None:
        started = self._clock()
        result = await self._guarded(key)
        seconds = self._clock() - started
        verdict = self._judge(key, result)
        self._metrics.seconds.observe(seconds)
        self._metrics.results[verdict.result].inc()
        write = log.info if result.is_notable or result.error is not None else log.debug
        write(
            "reconciled",
            outcome=result.outcome or verdict.result,
            duration_s=round(seconds, 4),
            requeue_after_s=None if verdict.requeue_after_s is None else round(verdict.requeue_after_s, 3),
            **({"error": str(result.error)} if result.error else {}),
        )

    async def _guarded(self, key: str) -> Result:
        """The result of one reconcile; whatever it raises becomes one, and only cancellation passes."""
        deadline = asyncio.timeout(self._deadline_s)
        try:
            async with deadline:
                return await self._reconcile(key)
        except OlmError as problem:
            return Result(error=problem)
        except TimeoutError as problem:
            if deadline.expired():
                self._metrics.timeouts.inc()
                return Result(error=RetryableError(f"not done within {self._deadline_s:g} s"), is_notable=True)
            return self._bug(key, problem)
        except Exception as problem:  # the one place: a bug in one reconcile must not end the others
            return self._bug(key, problem)

    def _bug(self, key: str, problem: Exception) -> Result:
        self._metrics.panics.inc()
        # The traceback comes once per series of failures: the next tries would only repeat it.
        is_first = self._queue.failures(key) == 0
        log.error("reconcile met a bug", problem=type(problem).__name__, exc_info=problem if is_first else None)
        return Result(error=RetryableError("internal error, see the log of the controller"), is_notable=True)

    def _judge(self, key: str, result: Result) -> _Verdict:
        after = result.requeue_after_s
        match result.error:
            case None:
                self._queue.forget(key)
                if after is None:
                    return _Verdict("success", None)
                self._queue.add_after(key, after)
                return _Verdict("requeue_after", after)
            case TerminalError():
                self._metrics.errors.inc()
                self._metrics.terminal.inc()
                if after is not None:
                    self._queue.add_after(key, after)
                return _Verdict("error", after)
            case RetryableError(retry_after_s=float() | int() as wanted):
                self._metrics.errors.inc()
                delay = wanted if after is None else min(wanted, after)
                self._queue.add_after(key, delay)
                return _Verdict("error", delay)
            case _:
                self._metrics.errors.inc()
                return _Verdict("error", self._queue.add_failed(key, at_most_s=after))
