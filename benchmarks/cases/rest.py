"""A fleet at rest: what it costs to do nothing, and a reconcile that finds nothing to do."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from benchmarks.case import Case, Goal, Row
from benchmarks.operators import installed_fleet, spend
from benchmarks.stage import EXTENSIONS, Stage
from e2e.fleet import Member

__all__ = ["CASE"]

_ANNOTATION = "example.com/touched"


def _run(stage: Stage) -> Iterator[Row]:
    members, _ = stage.once(installed_fleet)
    count, meter = len(members), stage.controller_meter
    meter.wait_quiet(timeout_s=60)
    mark, cpu_s, seconds = stage.world.cluster.audit.position(), meter.cpu_s, stage.scale.rest_s
    time.sleep(seconds)
    per_minute = 60 / seconds
    yield Row(f"{count} at rest: API requests a minute", stage.requests(mark) * per_minute, "", goal=Goal(0))
    yield Row(f"{count} at rest: a minute", (meter.cpu_s - cpu_s) * per_minute, "CPU s", goal=Goal(0.2))
    yield Row(f"{count} at rest: memory of operator-controller", meter.memory_mib, "MiB", goal=Goal(150))
    spent = spend(stage, lambda: _touch(stage, members))
    yield Row("reconcile that changes nothing: API requests", spent.requests / count, "", goal=Goal(0))
    yield Row("reconcile that changes nothing", spent.quiet_cpu_s / count * 1000, "CPU ms")


def _touch(stage: Stage, members: Sequence[Member]) -> None:
    """Wake the reconciles of extensions by an annotation that nobody reads."""
    patch = {"metadata": {"annotations": {_ANNOTATION: str(time.monotonic_ns())}}}
    for member in members:
        stage.api.merge(f"{EXTENSIONS}/{member.name}", patch)


CASE = Case("rest", "extensions at rest", _run)
