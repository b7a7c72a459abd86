from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.store import Store
from olmv1.selectors import Selector
from operator_controller.catalogs import Catalogs, PackageStore
from operator_controller.catalogs.client import PackageLines
from operator_controller.resolver import CatalogContent, CatalogProblem

LINES = (
    b'{"defaultChannel":"s","name":"lantern","schema":"olm.package"}',
    b'{"entries":[{"name":"lantern.v1.0.0"}],"name":"s","package":"lantern","schema":"olm.channel"}',
)


class Server:
    """What catalogd would answer: lines, or a failure."""

    def __init__(self) -> None:
        self.answer: tuple[bytes, ...] | RetryableError = LINES
        self.fetched: list[tuple[str, str]] = []

    async def fetch(self, base_url: str, package: str) -> PackageLines:
        self.fetched.append((base_url, package))
        await asyncio.sleep(0)
        if isinstance(self.answer, RetryableError):
            raise self.answer
        return PackageLines(self.answer, '"1"')


def a_catalog(name: str = "lights", *, ref: str | None = "r@sha256:1", serving: str = "True", **spec: Any) -> Any:
    status: dict[str, Any] = {"conditions": [{"type": "Serving", "status": serving}]}
    if ref is not None:
        status |= {"resolvedSource": {"image": {"ref": ref}}, "urls": {"base": f"https://catalogd/catalogs/{name}"}}
    metadata = {"name": name, "labels": {"olm.operatorframework.io/metadata.name": name}}
    return {"metadata": metadata, "spec": spec, "status": status}


class World:
    def __init__(self, path: Path) -> None:
        self.store, self.server = Store(), Server()
        self.now = 0.0
        self.catalogs = Catalogs(self.store, self.server, PackageStore(path), lambda: self.now)

    def put(self, *catalogs: Mapping[str, Any]) -> None:
        for catalog in catalogs:
            self.store.put(catalog)

    async def read(self, selector: Selector | None = None) -> tuple[CatalogContent | CatalogProblem, ...]:
        return (await self.catalogs.read(selector or Selector(), "lantern")).catalogs

    async def unreadable(self, package: str = "lantern") -> tuple[str, ...]:
        return (await self.catalogs.read(Selector(), package)).unreadable


async def test_read_asks_for_a_package_once_per_digest(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog(priority=5))
    first, second = await world.read(), await world.read()
    (content,) = first
    assert isinstance(content, CatalogContent)
    assert (content.name, content.priority, content.package is not None) == ("lights", 5, True)
    assert (first, world.server.fetched) == (second, [("https://catalogd/catalogs/lights", "lantern")])


async def test_read_shares_a_load_under_way(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    await asyncio.gather(*(world.read() for _ in range(5)))
    assert len(world.server.fetched) == 1


async def test_read_survives_a_restart_without_catalogd(tmp_path: Path) -> None:
    before, after = World(tmp_path), World(tmp_path)
    for world in (before, after):
        world.put(a_catalog(serving="False" if world is after else "True"))
    after.server.answer = RetryableError("away")
    await before.read()
    (content,) = await after.read()
    assert isinstance(content, CatalogContent)


async def test_read_keeps_the_last_good_content_while_the_new_one_cannot_be_read(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    good = await world.read()
    world.put(a_catalog(ref="r@sha256:2"))
    world.server.answer = RetryableError("away")
    assert await world.read() == good


async def test_read_says_what_is_wrong_with_a_catalog_that_was_never_read(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(
        a_catalog("a", ref=None, serving="False"),
        a_catalog("b", ref=None),
        a_catalog("c", serving="False"),
        a_catalog("d"),
    )
    world.server.answer = RetryableError("no route")
    assert [item.message for item in await world.read() if isinstance(item, CatalogProblem)] == [
        'catalog "a" is not being served',
        'error: catalog "b" has a nil status.resolvedSource value',
        'catalog "c" is not being served',
        'error retrieving cache for catalog "d": no route',
    ]


async def test_read_leaves_out_unavailable_deleted_and_unselected_catalogs(tmp_path: Path) -> None:
    world = World(tmp_path)
    deleting = a_catalog("b")
    deleting["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    world.put(a_catalog("a", availabilityMode="Unavailable"), deleting, a_catalog("c"), a_catalog("d"))
    selector = Selector.parse({"matchExpressions": [{"key": "x", "operator": "DoesNotExist"}]})
    by_name = Selector.parse({"matchLabels": {"olm.operatorframework.io/metadata.name": "d"}})
    assert [item.name for item in await world.read(selector)] == ["c", "d"]
    assert [item.name for item in await world.read(by_name)] == ["d"]


async def test_read_names_a_package_that_does_not_parse(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    world.server.answer = (b'{"entries":5,"name":"s","package":"lantern","schema":"olm.channel"}',)
    (problem,) = await world.read()
    assert isinstance(problem, CatalogProblem)
    assert problem.message.startswith('error loading package "lantern": ')


async def test_read_tells_of_a_new_edition_that_cannot_be_read(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    assert await world.unreadable() == ()
    world.put(a_catalog(ref="r@sha256:2"))
    world.server.answer = RetryableError("away")
    text = 'error retrieving cache for catalog "lights": away'
    assert await world.unreadable() == (f'catalog "lights" cannot be read, its last content is used: {text}',)
    assert await world.unreadable("other") == (f'catalog "lights" cannot be read: {text}',)


async def test_read_asks_a_failing_catalog_again_only_after_a_while(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    world.server.answer = RetryableError("away")
    for package in ("a", "b", "c"):
        await world.unreadable(package)
    assert len(world.server.fetched) == 1
    world.now, world.server.answer = 15.0, LINES
    assert await world.unreadable() == ()
    assert len(world.server.fetched) == 2


async def test_read_asks_a_failing_catalog_at_once_for_its_next_edition(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    world.server.answer = RetryableError("away")
    await world.read()
    world.put(a_catalog(ref="r@sha256:2"))
    world.server.answer = LINES
    (content,) = await world.read()
    assert isinstance(content, CatalogContent)


async def test_read_shares_a_failure_under_way(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    world.server.answer = RetryableError("away")
    await asyncio.gather(*(world.read() for _ in range(5)))
    assert len(world.server.fetched) == 1


async def test_read_expects_an_event_of_a_catalog_that_is_not_served(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog(serving="False"))
    assert await world.unreadable() == ()


async def test_refresh_is_news_when_nobody_read_the_package_or_it_cannot_be_read(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert await world.catalogs.refresh(a_catalog(), "lantern") is True
    assert await world.catalogs.refresh(a_catalog(ref="r@sha256:2"), "lantern") is False
    world.server.answer = RetryableError("away")
    assert await world.catalogs.refresh(a_catalog(ref="r@sha256:3"), "lantern") is True


async def test_change_of_a_package_is_told_once_by_whoever_reads_it_first(tmp_path: Path) -> None:
    world = World(tmp_path)
    told: list[tuple[str, str]] = []
    world.catalogs.on_change = lambda catalog, package: told.append((catalog, package))
    world.put(a_catalog())
    await world.read()
    world.put(a_catalog(ref="r@sha256:2"))
    await world.read()
    assert told == []
    world.server.answer = LINES[:1]
    world.put(a_catalog(ref="r@sha256:3"))
    await asyncio.gather(world.read(), world.catalogs.refresh(a_catalog(ref="r@sha256:3"), "lantern"))
    assert told == [("lights", "lantern")]


async def test_failure_at_one_address_does_not_count_at_another(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.put(a_catalog())
    world.server.answer = RetryableError("away")
    await world.read()
    world.server.answer = LINES
    moved = a_catalog()
    moved["status"]["urls"]["base"] = "https://elsewhere/catalogs/lights"
    world.put(moved)
    assert [type(found) for found in await world.read()] == [CatalogContent]


async def test_catalogs_without_a_package_do_not_push_out_what_another_has_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("operator_controller.catalogs.snapshots._KEPT_PACKAGES", 1)
    world = World(tmp_path)
    world.put(a_catalog("a"))
    (before,) = await world.read()
    world.server.answer = ()
    world.put(a_catalog("b"), a_catalog("c"))
    await world.read()
    after = (await world.read())[0]
    assert isinstance(before, CatalogContent)
    assert isinstance(after, CatalogContent)
    assert after.package is before.package
