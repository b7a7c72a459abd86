from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from operator_controller.catalogs import ContentChanges

CONCERNED = {"lantern": ["one", "two"], "torch": ["three"]}


class Packages:
    """What refreshing a package says; `lantern` waits for `gate`."""

    def __init__(self, news: Mapping[str, bool]) -> None:
        self.news = news
        self.asked: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def refresh(self, catalog: Mapping[str, Any], package: str) -> bool:
        self.asked.append((catalog["metadata"]["name"], package))
        await self.gate.wait()
        return self.news[package]  # a KeyError where the test gives no answer


class World:
    def __init__(self, **news: bool) -> None:
        self.packages = Packages(news)
        self.woken: list[str] = []
        self.changes = ContentChanges(self.packages, _catalog, lambda _: CONCERNED, self.woken.append)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.changes.run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _catalog(name: str) -> dict[str, Any] | None:
    return None if name == "gone" else {"metadata": {"name": name}}


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_content_wakes_only_those_whose_package_is_news() -> None:
    world = World(lantern=False, torch=True)
    async with world.running():
        world.changes.ask("lights")
        await settle()
    assert (world.woken, world.packages.asked) == (["three"], [("lights", "lantern"), ("lights", "torch")])


async def test_content_is_looked_at_once_more_when_it_changes_meanwhile() -> None:
    world = World(lantern=True, torch=False)
    world.packages.gate.clear()
    async with world.running():
        for _ in range(3):
            world.changes.ask("lights")
        await settle()
        assert len(world.packages.asked) == 2
        world.packages.gate.set()
        await settle()
    assert (len(world.packages.asked), world.woken) == (4, ["one", "two", "one", "two"])


async def test_content_of_a_catalog_that_is_gone_concerns_nobody() -> None:
    world = World(lantern=True, torch=True)
    async with world.running():
        world.changes.ask("gone")
        await settle()
    world.changes.changed("gone", "lantern")
    assert (world.packages.asked, world.woken) == ([], [])


def test_package_that_changed_wakes_all_who_want_it() -> None:
    world = World()
    world.changes.changed("lights", "lantern")
    world.changes.changed("lights", "candle")
    assert world.woken == ["one", "two"]


async def test_bug_that_a_package_brings_to_light_wakes_its_extensions_and_ends_nothing() -> None:
    world = World(torch=True)
    async with world.running():
        world.changes.ask("lights")
        await settle()
        world.changes.ask("lights")
        await settle()
    assert sorted(world.woken) == sorted(["one", "two", "three"] * 2)
