"""Fifty ClusterExtensions created at once."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.operators import create_all, create_ready, delete_all, installed_fleet, objects_of
from benchmarks.stage import Stage
from e2e.fleet import fleet

__all__ = ["CASE"]

# For each extension, between what the reference takes for 30 and for 100 at once: half the wall time and requests, 0.7
# of the CPU seconds.
_WALL_S, _CPU_S, _REQUESTS = 0.44, 0.36, 35
_PEAK_MIB, _CATALOGD_MIB = 200.0, 130.0


def _run(stage: Stage) -> Iterator[Row]:
    floor = _floor(stage)
    members, spent = stage.once(installed_fleet)
    count = len(members)
    what = f"{count} at once"
    yield Row(f"{what}: create to Installed", spent.wall_s, "s", floor, Goal(_WALL_S * count))
    yield Row(f"{what}: until all are Installed", spent.cpu_s, "CPU s")
    yield Row(f"{what}: until at rest", spent.quiet_cpu_s, "CPU s", goal=Goal(_CPU_S * count))
    yield Row(f"{what}: API requests, each", spent.requests / count, "", goal=Goal(_REQUESTS))
    yield Row(f"{what}: peak of operator-controller", spent.peak_mib, "MiB", goal=Goal(_PEAK_MIB))
    yield Row(f"{what}: memory of catalogd", stage.catalogd_meter.memory_mib, "MiB", goal=Goal(_CATALOGD_MIB))


def _floor(stage: Stage) -> Floor:
    """Creating the same objects under other names, and nothing else."""
    members = fleet(stage.scale.fleet, "twin")
    namespaces = [obj for member in members for obj in member.installer() if obj["kind"] == "Namespace"]
    create_all(stage.api, namespaces)
    objects = [obj for member in members for obj in objects_of(member)]
    took_s = create_ready(stage.api, objects)
    delete_all(stage.api, [*objects, *namespaces])
    return Floor(f"POST of {len(objects)}, until ready", took_s)


CASE = Case("many", "many ClusterExtensions, created at once", _run)
