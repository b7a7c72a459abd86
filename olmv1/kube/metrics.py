"""The standard series of a controller: client, work queue, reconcile and leader election.

Names and labels are those that dashboards for Go controllers expect (`clusterextension.md` 12.4). Each app object has
its own registry; a collector is made once per registry and shared by the controllers of the process.
"""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

__all__ = ["ClientMetrics", "ControllerMetrics", "LeaderMetrics", "QueueMetrics"]

_RECONCILE_BUCKETS = (
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.15,
    0.2,
    0.25,
    0.3,
    0.35,
    0.4,
    0.45,
    0.5,
    0.6,
    0.7,
    0.8,
    0.9,
    1.0,
)
_LONG_BUCKETS = (1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10, 15, 20, 25, 30, 40, 50, 60)
_QUEUE_BUCKETS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0)


class _Families:
    """The collectors of one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        queue, controller = ("name", "controller"), ("controller",)

        def counter(name: str, text: str, labels: tuple[str, ...]) -> Counter:
            return Counter(name, text, labels, registry=registry)

        def gauge(name: str, text: str, labels: tuple[str, ...]) -> Gauge:
            return Gauge(name, text, labels, registry=registry)

        def histogram(name: str, text: str, labels: tuple[str, ...], buckets: tuple[float, ...]) -> Histogram:
            return Histogram(name, text, labels, buckets=buckets, registry=registry)

        self.requests = counter("rest_client_requests_total", "HTTP requests by code.", ("code", "method", "host"))
        self.leader = gauge("leader_election_master_status", "1 while this replica leads.", ("name",))
        self.depth = gauge("workqueue_depth", "Keys that wait for a worker.", queue)
        self.adds = counter("workqueue_adds_total", "Keys added to the queue.", queue)
        self.retries = counter("workqueue_retries_total", "Keys added again after a failure.", queue)
        self.unfinished = gauge("workqueue_unfinished_work_seconds", "Age of the work under way, summed.", queue)
        self.longest = gauge("workqueue_longest_running_processor_seconds", "Age of the oldest work.", queue)
        self.wait = histogram("workqueue_queue_duration_seconds", "Time in the queue.", queue, _QUEUE_BUCKETS)
        self.work = histogram("workqueue_work_duration_seconds", "Time of processing.", queue, _QUEUE_BUCKETS)
        prefix = "controller_runtime"
        self.results = counter(f"{prefix}_reconcile_total", "Reconciles by result.", ("controller", "result"))
        self.errors = counter(f"{prefix}_reconcile_errors_total", "Reconciles that failed.", controller)
        self.terminal = counter(f"{prefix}_terminal_reconcile_errors_total", "Failures not retried.", controller)
        self.panics = counter(f"{prefix}_reconcile_panics_total", "Reconciles that met a bug.", controller)
        self.timeouts = counter(f"{prefix}_reconcile_timeouts_total", "Reconciles over the deadline.", controller)
        self.workers = gauge(f"{prefix}_max_concurrent_reconciles", "Workers.", controller)
        self.active = gauge(f"{prefix}_active_workers", "Workers that are busy.", controller)
        buckets = (*_RECONCILE_BUCKETS, *_LONG_BUCKETS)
        self.seconds = histogram(f"{prefix}_reconcile_time_seconds", "Time per reconcile.", controller, buckets)


# A registry refuses a second collector of the same name and offers no public look-up, so what was made for it is kept
# beside it, as long as it lives.
_FAMILIES: WeakKeyDictionary[CollectorRegistry, _Families] = WeakKeyDictionary()


def _families(registry: CollectorRegistry) -> _Families:
    found = _FAMILIES.get(registry)
    if found is None:
        found = _FAMILIES[registry] = _Families(registry)
    return found


class ClientMetrics:
    """Counts requests to one host."""

    def __init__(self, registry: CollectorRegistry, host: str) -> None:
        self._requests = _families(registry).requests
        self._host = host
        self._children: dict[tuple[str, str], Counter] = {}

    def count(self, method: str, code: str) -> None:
        """Add one request; `code` is the HTTP status or `<error>` when no answer came."""
        child = self._children.get((method, code))
        if child is None:
            child = self._children[method, code] = self._requests.labels(code, method, self._host)
        child.inc()


class QueueMetrics:
    """The series of one work queue."""

    def __init__(self, registry: CollectorRegistry, name: str) -> None:
        families = _families(registry)
        self.adds = families.adds.labels(name, name)
        self.retries = families.retries.labels(name, name)
        self.wait = families.wait.labels(name, name)
        self.work = families.work.labels(name, name)
        self._depth = families.depth.labels(name, name)
        self._unfinished = families.unfinished.labels(name, name)
        self._longest = families.longest.labels(name, name)

    def watch(self, depth: Callable[[], float], ages: Callable[[], list[float]]) -> None:
        """Ask `depth` and `ages` (seconds of the work under way) when the metrics are read, not before."""
        self._depth.set_function(depth)
        self._unfinished.set_function(lambda: sum(ages()))
        self._longest.set_function(lambda: max(ages(), default=0.0))


class ControllerMetrics:
    """The series of one controller."""

    def __init__(self, registry: CollectorRegistry, name: str, workers: int) -> None:
        families = _families(registry)
        self.results = {
            result: families.results.labels(name, result) for result in ("success", "error", "requeue", "requeue_after")
        }
        self.errors = families.errors.labels(name)
        self.terminal = families.terminal.labels(name)
        self.panics = families.panics.labels(name)
        self.timeouts = families.timeouts.labels(name)
        self.active = families.active.labels(name)
        self.seconds = families.seconds.labels(name)
        families.workers.labels(name).set(workers)


class LeaderMetrics:
    """The series of one leader election."""

    def __init__(self, registry: CollectorRegistry, name: str) -> None:
        self.status = _families(registry).leader.labels(name)
        self.status.set(0)
