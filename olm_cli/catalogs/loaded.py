"""Catalogs that are read whole before the first answer; those on disk are such."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from olm_cli.catalogs.sources import PathSource
from olm_cli.problems import BadInput
from olm_cli.progress import working
from olmv1 import fbc
from olmv1.errors import TerminalError

__all__ = ["LoadedCatalog", "catalog_on_disk"]


class LoadedCatalog:
    """A catalog that `load` brings into memory when it is first asked for something."""

    priority = 0

    def __init__(self, name: str, load: Callable[[], Awaitable[fbc.Catalog]]) -> None:
        self.name = name
        self._load = load
        self._loaded: fbc.Catalog | None = None

    async def packages(self, *, with_bundles: bool = False) -> tuple[fbc.Package, ...]:  # noqa: ARG002 - always has them
        """Every package by name, with its bundles."""
        catalog = await self._catalog()
        found = (self._package(catalog, name) for name in catalog.packages)
        return tuple(package for package in found if package is not None)

    async def package(self, name: str) -> fbc.Package | None:
        """One package, or `None`."""
        return self._package(await self._catalog(), name)

    def _package(self, catalog: fbc.Catalog, name: str) -> fbc.Package | None:
        try:
            return catalog.package(name)
        except fbc.FbcError as error:
            raise BadInput(f'catalog "{self.name}": {error}') from error

    async def _catalog(self) -> fbc.Catalog:
        if self._loaded is None:
            try:
                self._loaded = await self._load()
            except TerminalError as error:
                raise BadInput(f'catalog "{self.name}": {error}') from error
        return self._loaded


def catalog_on_disk(source: PathSource) -> LoadedCatalog:
    """The catalog in a directory or file."""

    async def load() -> fbc.Catalog:
        with working(f"reading {source.path}"):
            return await asyncio.to_thread(fbc.load, source.path)

    return LoadedCatalog(source.name, load)
