"""Whom a dependency check wakes, and what it looks at; what it decides is tested in the room `dependencies`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from olmv1.constraints import Property, Ruling
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS, CUSTOM_RESOURCE_DEFINITIONS, SECRETS
from olmv1.kube.store import Store
from olmv1.served import Served
from operator_controller.catalogs import Catalogs, PackageStore
from operator_controller.catalogs.client import PackageLines
from operator_controller.dependencies import Candidate, Mode
from operator_controller.reconcilers.dependencies import DependencyChecks, DependencyPorts
from operator_controller.rollout.revisions import BY_OWNER, Revisions, owner_keys
from operator_controller.target.extras import ANNOTATION_ADOPT
from tests.builders import an_extension, an_object
from tests.definitions import LAMPS, a_definition
from tests.fed_cache import FedCache
from tests.requirements import BLUE, needs_api, needs_rule
from tests.waiting import eventually


class NoServer:
    async def fetch(self, base_url: str, package: str) -> PackageLines:
        raise AssertionError(f"{package} at {base_url} is of no interest")


class World:
    """Extensions `a` and `b`, which wait for others; `woken` names those that were woken."""

    def __init__(self, folder: Path) -> None:
        self.woken: list[str] = []
        extensions, sets, secrets = FedCache(CLUSTER_EXTENSIONS), FedCache(CLUSTER_OBJECT_SETS), FedCache(SECRETS)
        sets.add_index(BY_OWNER, owner_keys)
        secrets.add_index(BY_OWNER, owner_keys)
        for name in ("a", "b"):
            ext = an_extension(catalog={"packageName": name})
            extensions.put({**ext, "metadata": {**ext["metadata"], "name": name}})
        self.extensions, self.definitions = extensions, FedCache(CUSTOM_RESOURCE_DEFINITIONS)
        self.checks = DependencyChecks(
            DependencyPorts(
                extensions=extensions,
                sets=sets,
                definitions=self.definitions,
                revisions=Revisions(cast(KubeClient, None), sets, secrets, "olmv1-system"),
                catalogs=Catalogs(Store(), NoServer(), PackageStore(folder)),
                waiting=lambda: ("a", "b"),
                wake=self.woken.append,
            )
        )

    async def roll_out(self, name: str, *, in_catalog: Sequence[Any], in_image: Sequence[Any]) -> list[str]:
        """Both checks of a pass; the extensions that they woke."""
        self.woken.clear()
        wanted = Candidate(name, name, f"{name}.v1", "1.0.0", tuple(in_catalog))
        verdict = await self.checks.check(wanted, Mode.CHECK, Served())
        if verdict.failure is None:
            wanted = Candidate(name, name, f"{name}.v1", "1.0.0", tuple(in_image))
            await self.checks.check(wanted, Mode.CHECK, Served(), [an_object()])
        return list(self.woken)

    async def failure_over_lamps(self, adopt: str, labels: Mapping[str, str]) -> str | None:
        """Why extension `a` may not bring the definition of lamps, which is there with these labels."""
        ext = self.extensions.get("a") or {}
        self.extensions.put({**ext, "metadata": {**ext["metadata"], "annotations": {ANNOTATION_ADOPT: adopt}}})
        self.definitions.put({**a_definition(), "metadata": {"name": LAMPS, "labels": labels}})
        wanted = Candidate("a", "a", "a.v1", "1.0.0")
        verdict = await self.checks.check(wanted, Mode.CHECK, Served(), [a_definition()])
        return None if verdict.failure is None else str(verdict.failure)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_extensions_held_by_what_only_their_images_tell_do_not_wake_each_other_for_ever(world: World) -> None:
    requirement = needs_api(BLUE)
    rounds = [
        await world.roll_out(name, in_catalog=(), in_image=[requirement]) for _ in range(2) for name in ("a", "b")
    ]
    assert rounds == [["b"], ["a"], [], []]


async def test_others_are_woken_when_an_extension_is_held_no_longer(world: World) -> None:
    requirement = needs_api(BLUE)
    held = await world.roll_out("a", in_catalog=[requirement], in_image=())
    free = await world.roll_out("a", in_catalog=(), in_image=())
    assert (held, free) == (["b"], ["b"])


NOBODY: Mapping[str, str] = {}
OTHER = {"olm.operatorframework.io/owner-kind": "ClusterExtension", "olm.operatorframework.io/owner-name": "b"}


@pytest.mark.parametrize(
    ("adopt", "labels", "failure"),
    [
        pytest.param("", NOBODY, f'CustomResourceDefinition "{LAMPS}" is not managed by OLM', id="not asked to"),
        pytest.param("IfUnowned", NOBODY, None, id="asked to"),
        pytest.param(
            "IfUnowned", OTHER, f'CustomResourceDefinition "{LAMPS}" is managed by ClusterExtension "b"', id="taken"
        ),
    ],
)
async def test_definition_that_nobody_manages_may_be_taken_over_by_who_wants_it(
    world: World, adopt: str, labels: Mapping[str, str], failure: str | None
) -> None:
    assert await world.failure_over_lamps(adopt, labels) == failure


class StuckRules:
    """Rules that are not decided before the `end`."""

    def __init__(self) -> None:
        self.asked, self.end = threading.Event(), threading.Event()

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:
        self.asked.set()
        self.end.wait(10)
        return Ruling(unavailable=f"{rule} about {len(bundles)}")


async def test_rules_that_take_long_hold_up_no_other_work(world: World) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    rules = StuckRules()
    world.checks._rules = rules  # type: ignore[assignment]
    held = asyncio.create_task(world.roll_out("a", in_catalog=[needs_rule("true")], in_image=()))
    await eventually(rules.asked.is_set)
    try:
        async with asyncio.timeout(5):
            await asyncio.to_thread(str)
    finally:
        rules.end.set()
    assert await held == ["b"]
