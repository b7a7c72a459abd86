"""A look at the registry that finds nothing new, and one that finds new content, while another catalog is read."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.real_data import catalog_files
from benchmarks.stage import CATALOGS, LoadPlan, Stage
from devcluster.images import catalog_image

__all__ = ["CASE"]

_POLLED, _READ = "polled", "read-meanwhile"
_READ_PAUSE_MS = 2.0
_SETTLE_S = 0.3


def _run(stage: Stage) -> Iterator[Row]:
    polls = stage.scale.polls
    stage.serve(_POLLED, _push(stage, 0))
    stage.serve(_READ, stage.push_catalog(_READ, catalog_image(catalog_files(1))))
    stage.catalogd_meter.wait_quiet()
    look_s = statistics.median(_cost(stage, lambda: _look(stage)) for _ in range(polls))
    yield Row("digest unchanged", look_s, "CPU s", goal=Goal(0.02))
    calm = Floor("the same without a poll", _longest_ms(stage, lambda: time.sleep(1.0)))
    longest_ms = _longest_ms(stage, lambda: _look(stage, polls))
    yield Row("digest unchanged: longest read of another catalog", longest_ms, "ms", calm, Goal(20.0))
    change_s = statistics.median(_cost(stage, partial(_change, stage, number)) for number in range(1, polls))
    yield Row("new content", change_s, "CPU s", goal=Goal(1.0))
    longest_ms = _longest_ms(stage, lambda: _change(stage, polls))
    yield Row("new content: longest read of another catalog", longest_ms, "ms", calm, Goal(50.0))
    for name in (_POLLED, _READ):
        stage.remove_catalog(name)


def _push(stage: Stage, edition: int) -> str:
    """Push an edition of the polled catalog; editions differ in a blob that nobody asks for."""
    blob = f'{{"schema": "example.com.edition", "name": "{edition}"}}'.encode()
    return stage.push_catalog(_POLLED, catalog_image({**catalog_files(stage.scale.served), "edition.json": blob}))


def _look(stage: Stage, times: int = 1) -> None:
    """Poll so many times, each time waiting until catalogd has asked the registry."""
    for _ in range(times):
        before = _asked(stage)
        stage.poll(_POLLED)
        stage.wait(lambda before=before: _asked(stage) > before, "catalogd to ask the registry")  # type: ignore[misc]
        time.sleep(_SETTLE_S)


def _asked(stage: Stage) -> int:
    """How many requests for the manifest of the polled catalog the registry has had."""
    log = stage.world.cluster.workspace.logs_dir / "registry.log"
    return log.read_text(errors="replace").count(f"/v2/bench/{_POLLED}/manifests/")


def _change(stage: Stage, edition: int) -> None:
    """Push an edition, poll, and wait until it is served."""
    before = _resolved(stage)
    _push(stage, edition)
    stage.poll(_POLLED)
    stage.wait(lambda: _resolved(stage) != before, "the new content to be served", every_s=0.05)
    time.sleep(_SETTLE_S)


def _resolved(stage: Stage) -> object:
    found = stage.api.get(f"{CATALOGS}/{_POLLED}") or {}
    return (found.get("status") or {}).get("resolvedSource")


def _cost(stage: Stage, work: Callable[[], object]) -> float:
    """CPU seconds of catalogd for `work`."""
    meter = stage.catalogd_meter
    before = meter.cpu_s
    work()
    meter.wait_quiet()
    return meter.cpu_s - before


def _longest_ms(stage: Stage, work: Callable[[], object]) -> float:
    """The longest read of another catalog while `work` is done."""
    url = stage.url(_READ, "metas?schema=olm.package")
    with stage.loading(LoadPlan(url, seconds=60.0, pause_ms=_READ_PAUSE_MS)) as end:
        time.sleep(_SETTLE_S)
        work()
        return end().longest_ms


CASE = Case("poll", "polls of a catalog while another one is read", _run)
