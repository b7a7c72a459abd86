"""What users change or delete by hand, until it is as the bundle wants it again."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.operators import Spent, installed_fleet, spend
from benchmarks.stage import Stage
from e2e.fleet import Member

__all__ = ["CASE"]

_WALL_S, _CPU_S, _REQUESTS = 0.5, 0.2, 6
_WRONG = 3


def _run(stage: Stage) -> Iterator[Row]:
    members, _ = stage.once(installed_fleet)
    floor = Floor("one PATCH", _patch_s(stage, members[0]))
    for what, repair in (("a field changed", _changed), ("a Deployment deleted", _deleted)):
        chosen = members[: stage.scale.drifts]
        spent = [_spent(stage, member, repair) for member in chosen]
        wall_s = statistics.median(each.wall_s for each in spent)
        cpu_s = statistics.median(each.quiet_cpu_s for each in spent)
        requests = statistics.median(each.requests for each in spent)
        yield Row(f"{what}: until it is repaired", wall_s, "s", floor, Goal(_WALL_S))
        yield Row(f"{what}: until at rest", cpu_s, "CPU s", goal=Goal(_CPU_S))
        yield Row(f"{what}: API requests", requests, "", goal=Goal(_REQUESTS))


def _spent(stage: Stage, member: Member, repair: Callable[[Stage, Member], None]) -> Spent:
    return spend(stage, lambda: repair(stage, member))


def _changed(stage: Stage, member: Member) -> None:
    """Set another number of replicas and wait until it is back."""
    seen: set[int] = set()

    def is_back(_: str, obj: Mapping[str, Any]) -> bool:
        seen.add(obj["spec"]["replicas"])
        return _WRONG in seen and obj["spec"]["replicas"] != _WRONG

    with stage.api.watch(_deployments(member)) as watch:
        stage.api.merge(_deployment(member), {"spec": {"replicas": _WRONG}})
        watch.until(is_back, "the replicas to be as the bundle wants them", 30)


def _deleted(stage: Stage, member: Member) -> None:
    """Delete the Deployment and wait until there is another one."""

    def is_there(type_: str, _: Mapping[str, Any]) -> bool:
        return type_ == "ADDED"

    with stage.api.watch(_deployments(member)) as watch:
        stage.api.delete(f"{_deployment(member)}?propagationPolicy=Background")
        watch.until(is_there, "the Deployment to be there again", 30)


def _patch_s(stage: Stage, member: Member) -> float:
    """Seconds of a patch that changes nothing that matters."""
    began = time.monotonic()
    stage.api.merge(_deployment(member), {"metadata": {"annotations": {"example.com/touched": "yes"}}})
    return time.monotonic() - began


def _deployments(member: Member) -> str:
    return f"/apis/apps/v1/namespaces/{member.namespace}/deployments"


def _deployment(member: Member) -> str:
    return f"{_deployments(member)}/{member.name}-controller"


CASE = Case("drift", "objects that were changed by hand, until they are repaired", _run)
