"""From the start of a process to its readiness."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.meter import Meter
from benchmarks.stage import Stage
from devcluster.components import Component

__all__ = ["CASE"]

_GOAL_S = 0.8
_LIBRARIES = (
    *("aiohttp.web", "msgspec", "orjson", "prometheus_client", "pydantic_settings", "structlog", "tenacity", "uvloop"),
    *("yaml", "yaml_rs"),
)


def _run(stage: Stage) -> Iterator[Row]:
    floor = Floor("importing libraries", _imports(stage.scale.starts))
    for component in (stage.catalogd, stage.controller):
        measured = [_started(stage, component) for _ in range(stage.scale.starts)]
        wall_s, cpu_s, memory_mib = (statistics.median(values) for values in zip(*measured, strict=True))
        yield Row(f"{component.name}: start to ready", wall_s, "s", floor, Goal(_GOAL_S))
        yield Row(f"{component.name}: start to ready", cpu_s, "CPU s", floor)
        yield Row(f"{component.name}: memory when ready", memory_mib, "MiB")


def _started(stage: Stage, component: Component) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and MiB until ready."""
    component.stop()
    began = time.monotonic()
    component.start()
    ended = stage.wait(lambda: _is_ready(component), f"{component.name} to be ready")
    meter = Meter(component.pid)
    return ended - began, meter.cpu_s, meter.memory_mib


def _is_ready(component: Component) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with suppress(OSError), opener.open(f"{component.probe_url}/readyz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def _imports(rounds: int) -> float:
    """CPU seconds of an interpreter that imports the libraries of both components and nothing of ours."""
    seconds = []
    for _ in range(rounds + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", f"import {', '.join(_LIBRARIES)}"], check=True, timeout=30)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds[1:])  # the first one may have compiled them


CASE = Case("start", "both components, start to ready", _run)
