"""Thirty extensions upgraded at once."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import Case, Goal, Row
from benchmarks.operators import NEXT, ask_for, installed_fleet, spend
from benchmarks.stage import Stage

__all__ = ["CASE"]

# Half of what the reference takes for 30, for each extension.
_WALL_S, _CPU_S, _REQUESTS = 57 / 60, 26 / 60, 44.5


def _run(stage: Stage) -> Iterator[Row]:
    members, _ = stage.once(installed_fleet)
    chosen = members[: stage.scale.upgraded]
    count = len(chosen)
    spent = spend(stage, lambda: ask_for(stage, chosen, NEXT))
    what = f"{count} at once"
    yield Row(f"{what}: until all have the new version", spent.wall_s, "s", goal=Goal(_WALL_S * count))
    yield Row(f"{what}: until at rest", spent.quiet_cpu_s, "CPU s", goal=Goal(_CPU_S * count))
    yield Row(f"{what}: API requests, each", spent.requests / count, "", goal=Goal(_REQUESTS))
    yield Row(f"{what}: peak of operator-controller", spent.peak_mib, "MiB", goal=Goal(200))


CASE = Case("upgrade", "many extensions, upgraded at once", _run)
