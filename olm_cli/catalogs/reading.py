"""Asking several catalogs at once; one that cannot be read spoils the answer of none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from olm_cli.catalogs.catalog import Catalog
from olm_cli.problems import BadInput
from olmv1.errors import OlmError
from olmv1.fbc import Package

__all__ = ["Read", "Unread", "read_package", "read_packages"]


@dataclass(frozen=True, slots=True)
class Read:
    """What a catalog answered: the packages asked for that it has."""

    catalog: str
    priority: int
    packages: tuple[Package, ...]

    @property
    def package(self) -> Package | None:
        """The one package asked for, or `None`."""
        return self.packages[0] if self.packages else None


@dataclass(frozen=True, slots=True)
class Unread:
    """A catalog that could not be read, and why."""

    catalog: str
    priority: int
    reason: str


async def read_packages(catalogs: Sequence[Catalog], *, with_bundles: bool = False) -> tuple[Read | Unread, ...]:
    """Every package of every catalog in the order of `catalogs`, bundles possibly left out if not asked for.

    Raises:
        BadInput: a catalog that the user named is not one.
    """
    return await _read(catalogs, lambda catalog: catalog.packages(with_bundles=with_bundles))


async def read_package(catalogs: Sequence[Catalog], name: str) -> tuple[Read | Unread, ...]:
    """The package `name` of every catalog, in the order of `catalogs`.

    Raises:
        BadInput: a catalog that the user named is not one.
    """

    async def ask(catalog: Catalog) -> tuple[Package, ...]:
        found = await catalog.package(name)
        return () if found is None else (found,)

    return await _read(catalogs, ask)


async def _read(
    catalogs: Sequence[Catalog], ask: Callable[[Catalog], Awaitable[tuple[Package, ...]]]
) -> tuple[Read | Unread, ...]:
    async def one(catalog: Catalog) -> Read | Unread | BadInput:
        try:
            return Read(catalog.name, catalog.priority, await ask(catalog))
        except BadInput as error:
            return error
        except OlmError as error:
            return Unread(catalog.name, catalog.priority, str(error))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(catalog)) for catalog in catalogs]
    found: list[Read | Unread] = []
    for task in tasks:
        result = task.result()
        if isinstance(result, BadInput):
            raise result
        found.append(result)
    return tuple(found)
