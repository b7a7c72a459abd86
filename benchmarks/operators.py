"""Extensions on the cluster: prepared, installed and measured. What the cases about operator-controller share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from benchmarks.api import Api, collection_of
from benchmarks.case import MeasuringError
from benchmarks.stage import EXTENSIONS, Stage
from e2e.fleet import Member, catalog_of, fleet, push_fleet, push_fleet_catalog
from e2e.world import condition
from operator_controller.bundle import parse_bundle
from operator_controller.renderer import RenderOptions, render

__all__ = [
    "FIRST",
    "NEXT",
    "Spent",
    "ask_for",
    "create_all",
    "create_ready",
    "delete_all",
    "installed_fleet",
    "objects_of",
    "prepare",
    "spend",
]

FIRST, NEXT = "1.0.1", "1.2.0"
"""What is installed, and what it is upgraded to."""

_CONNECTIONS = 6
_AUDIT_S = 0.2
_EVERY_S = 0.02
_READY = {"CustomResourceDefinition": "Established", "Deployment": "Available"}
_WAIT_S = 150.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What something took: `cpu_s` until it was done, `quiet_cpu_s` until operator-controller was at rest again."""

    wall_s: float
    cpu_s: float
    quiet_cpu_s: float
    requests: int
    peak_mib: float


def spend(stage: Stage, act: Callable[[], object]) -> Spent:
    """Do something that operator-controller answers, and say what that cost it."""
    meter, audit = stage.controller_meter, stage.world.cluster.audit
    meter.wait_quiet()
    meter.reset_peak()
    mark, cpu_s, began = audit.position(), meter.cpu_s, time.monotonic()
    act()
    wall_s, done_cpu_s = time.monotonic() - began, meter.cpu_s - cpu_s
    meter.wait_quiet(timeout_s=60)
    time.sleep(_AUDIT_S)
    return Spent(wall_s, done_cpu_s, meter.cpu_s - cpu_s, stage.requests(mark), meter.peak_mib)


def installed_fleet(stage: Stage) -> tuple[tuple[Member, ...], Spent]:
    """The fleet of this run, installed in `FIRST`, and what its installation cost; called through `Stage.once`."""
    members = fleet(stage.scale.fleet)
    push_fleet(stage.world.registry, members, (FIRST, NEXT))
    push_fleet_catalog(stage.world.registry, members)
    stage.serve("fleet", catalog_of("fleet")["spec"]["source"]["image"]["ref"])
    prepare(stage, members)
    spent = spend(stage, lambda: ask_for(stage, members, FIRST))
    return members, spent


def prepare(stage: Stage, members: Sequence[Member]) -> None:
    """Create the namespaces, accounts and rights of members."""
    objects = [document for member in members for document in member.installer()]
    create_all(stage.api, [obj for obj in objects if obj["kind"] == "Namespace"])
    create_all(stage.api, [obj for obj in objects if obj["kind"] != "Namespace"])


def ask_for(stage: Stage, members: Sequence[Member], version: str) -> None:
    """Create the extensions of members, or change them, to have `version`, and wait until all have it installed."""
    waiting = {member.name for member in members}

    def is_done(_: str, obj: Mapping[str, Any]) -> bool:
        if _has(obj, version):
            waiting.discard(obj["metadata"]["name"])
        return not waiting

    with stage.api.watch(EXTENSIONS) as watch:
        for member in members:
            wanted = member.extension(version=version)
            if not stage.api.create(EXTENSIONS, wanted):
                stage.api.merge(f"{EXTENSIONS}/{member.name}", {"spec": wanted["spec"]})
        watch.until(is_done, f"{len(members)} extensions to have {version} installed", _WAIT_S)


def objects_of(member: Member, files: Mapping[str, bytes] | None = None) -> list[dict[str, Any]]:
    """What a bundle of `member` (by default `FIRST`) consists of."""
    bundle = parse_bundle(member.bundle(FIRST) if files is None else files)
    return [dict(obj) for obj in render(bundle, RenderOptions(install_namespace=member.namespace))]


def create_ready(api: Api, objects: Sequence[Mapping[str, Any]], connections: int = _CONNECTIONS) -> float:
    """POST all objects and wait until definitions are established and Deployments available; the seconds it took.

    This is what any installer must wait for: the floor of an installation.
    """
    began = time.monotonic()
    create_all(api, objects, connections)
    for obj in objects:
        type_ = _READY.get(obj["kind"])
        while type_ and condition(api.get(_path(obj)), type_).get("status") != "True":
            if time.monotonic() - began > _WAIT_S:
                raise MeasuringError(f"waited {_WAIT_S:g} s for {obj['metadata']['name']} to be ready")
            time.sleep(_EVERY_S)
    return time.monotonic() - began


def create_all(api: Api, objects: Sequence[Mapping[str, Any]], connections: int = _CONNECTIONS) -> float:
    """POST all objects over several connections; the seconds it took."""
    shares = [objects[index::connections] for index in range(connections) if index < len(objects)]
    links = [api.another() for _ in shares]
    began = time.monotonic()
    with ThreadPoolExecutor(len(shares)) as pool:
        list(pool.map(_create_share, links, shares))
    took_s = time.monotonic() - began
    for link in links:
        link.close()
    return took_s


def delete_all(api: Api, objects: Iterable[Mapping[str, Any]]) -> None:
    """Ask for the deletion of all objects."""
    for obj in objects:
        api.delete(f"{_path(obj)}?propagationPolicy=Background")


def _create_share(api: Api, objects: Sequence[Mapping[str, Any]]) -> None:
    for obj in objects:
        api.create(collection_of(obj), obj)


def _path(obj: Mapping[str, Any]) -> str:
    return f"{collection_of(obj)}/{obj['metadata']['name']}"


def _has(obj: Mapping[str, Any], version: str) -> bool:
    bundle = ((obj.get("status") or {}).get("install") or {}).get("bundle") or {}
    installed = condition(obj, "Installed")
    is_current = installed.get("observedGeneration") == obj["metadata"]["generation"]
    return bool(bundle.get("version") == version and installed.get("status") == "True" and is_current)
