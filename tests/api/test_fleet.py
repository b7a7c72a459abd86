"""Fifty extensions installed at once, on a control plane of their own: its audit log tells what the components did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from e2e.fleet import Member, catalog_of, fleet, push_fleet, push_fleet_catalog
from e2e.logs import problems
from e2e.world import OWNED_KINDS, OWNER, World, expect, has_reached
from e2e.writers import objects_written, require_rest

FIFTY = fleet(50, "boat")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """OLM with fifty extensions, asked for in one request each, as fast as they can be sent."""
    with World(Cluster.start()) as running:
        push_fleet(running.registry, FIFTY, ["1.0.1"])
        push_fleet_catalog(running.registry, FIFTY)
        running.start()
        running.kubectl.apply(catalog_of(), *(manifest for member in FIFTY for manifest in member.installer()))
        running.wait_serving("fleet")
        running.kubectl.apply(*(member.extension(version="~1.0") for member in FIFTY))
        expect("fifty extensions to have 1.0.1 installed", lambda: not _late(running), lambda: _late(running), 180)
        yield running


def _late(world: World) -> list[str]:
    found = {item["metadata"]["name"]: item for item in world.kubectl.items("clusterextensions")}
    return [member.name for member in FIFTY if not has_reached(found.get(member.name), "1.0.1")]


def _account(member: Member) -> str:
    return f"system:serviceaccount:{member.namespace}:{member.name}-installer"


def test_fifty_extensions_have_all_their_objects(world: World) -> None:
    objects = world.kubectl.items(OWNED_KINDS, selector=OWNER)
    found: dict[str, list[str]] = {member.name: [] for member in FIFTY}
    for item in objects:
        found[item["metadata"]["labels"][OWNER]].append(item["kind"])
    wanted = sorted(FIFTY[0].kinds("1.0.1").elements())
    assert {name: sorted(kinds) for name, kinds in found.items()} == {member.name: wanted for member in FIFTY}


def test_every_object_is_written_as_the_account_of_its_extension(world: World) -> None:
    writers = {request.as_user for request in objects_written(world.cluster.audit)}
    assert writers == {_account(member) for member in FIFTY}


def test_nothing_is_written_at_rest(world: World) -> None:
    require_rest(world.cluster.audit, 10)


@pytest.mark.parametrize("component", [0, 1], ids=["catalogd", "operator-controller"])
def test_log_tells_of_no_error(world: World, component: int) -> None:
    assert problems(world.both[component].log_text()) == []
