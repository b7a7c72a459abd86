"""From a new ClusterExtension to `Installed`: one small bundle, and one of 5.4 MB."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.operators import Spent, create_all, create_ready, objects_of, prepare, spend
from benchmarks.real_data import large_bundle
from benchmarks.stage import EXTENSIONS, Stage
from devcluster.images import bundle_image, catalog_image
from e2e.fleet import Member
from e2e.world import condition

__all__ = ["CASE"]

_CATALOG = "singles"


@dataclass(frozen=True, slots=True)
class _Limits:
    """The goals of one size: what the reference takes, or half of it."""

    wall_s: float
    cpu_s: float
    quiet_cpu_s: float
    requests: int


_SIZES = {"small": _Limits(0.58, 0.38, 1.0, 54), "large": _Limits(3.65, 3.0, 7.5, 141)}


def _run(stage: Stage) -> Iterator[Row]:
    members = {size: Member(f"bench{size}") for size in _SIZES}
    floors = {size: Member(f"floor{size}") for size in _SIZES}
    stage.serve(_CATALOG, _push(stage, members))
    _prepare(stage, [*members.values(), *floors.values()])
    for size, limits in _SIZES.items():
        spent = spend(stage, partial(_install, stage, members[size]))
        objects = objects_of(floors[size], _files(size, floors[size]))
        floor = Floor(f"POST of its {len(objects)}, until ready", create_ready(stage.api, objects))
        yield from _rows(f"one {size} bundle", spent, floor, limits)


def _rows(what: str, spent: Spent, floor: Floor, limits: _Limits) -> Iterator[Row]:
    yield Row(f"{what}: create to Installed", spent.wall_s, "s", floor, Goal(limits.wall_s))
    yield Row(f"{what}: until Installed", spent.cpu_s, "CPU s", goal=Goal(limits.cpu_s))
    yield Row(f"{what}: until at rest", spent.quiet_cpu_s, "CPU s", goal=Goal(limits.quiet_cpu_s))
    yield Row(f"{what}: API requests", spent.requests, goal=Goal(limits.requests), unit="")


def _files(size: str, member: Member) -> dict[str, bytes]:
    return large_bundle(member) if size == "large" else member.bundle("1.0.0")


def _push(stage: Stage, members: Mapping[str, Member]) -> str:
    """Push the bundles and a catalog of them."""
    blobs: list[Mapping[str, Any]] = []
    for size, member in members.items():
        image = stage.world.registry.push(f"bench/{member.package}:v1.0.0", bundle_image(_files(size, member)))
        blobs += _blobs(member, image)
    text = "\n".join(json.dumps(blob) for blob in blobs)
    return stage.push_catalog(_CATALOG, catalog_image({"catalog.json": text.encode()}))


def _blobs(member: Member, image: str) -> Iterator[Mapping[str, Any]]:
    name, value = f"{member.package}.v1.0.0", {"packageName": member.package, "version": "1.0.0"}
    owner = {"package": member.package}
    yield {"schema": "olm.package", "name": member.package, "defaultChannel": "stable"}
    yield {"schema": "olm.channel", "name": "stable", "entries": [{"name": name}], **owner}
    properties = [{"type": "olm.package", "value": value}]
    yield {"schema": "olm.bundle", "name": name, "image": image, "properties": properties, **owner}


def _prepare(stage: Stage, members: list[Member]) -> None:
    """Namespaces and accounts; the accounts are administrators, for the large bundle brings more than the sample."""
    prepare(stage, members)
    bindings = [document for member in members for document in member.installer()]
    for binding in bindings:
        if binding["kind"] == "ClusterRoleBinding":
            metadata = {"name": f"{binding['metadata']['name']}-all"}
            create_all(
                stage.api,
                [{**binding, "metadata": metadata, "roleRef": {**binding["roleRef"], "name": "cluster-admin"}}],
            )


def _install(stage: Stage, member: Member) -> None:
    def is_installed(_: str, obj: Mapping[str, Any]) -> bool:
        found = condition(obj, "Installed").get("status") == "True"
        return bool(obj["metadata"]["name"] == member.name and found)

    with stage.api.watch(EXTENSIONS) as watch:
        stage.api.create(EXTENSIONS, member.extension(version="1.0.0"))
        watch.until(is_installed, f"{member.name} to be installed")


CASE = Case("install", "ClusterExtension, create to Installed, one at a time", _run)
