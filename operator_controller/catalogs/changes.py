"""Which extensions the new content of a catalog concerns: those whose package changed in it, and no others.

A catalog of hundreds of packages gets a new digest when one of them changes. Called by the triggers for each new
content; every package that some extension selects is read once, as the resolution that follows would do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from olmv1.manifests import Manifest
from olmv1.telemetry.logs import get_logger

__all__ = ["ContentChanges", "Packages"]

_READ_AT_ONCE = 8

log = get_logger(__name__)

Concerned = Callable[[Manifest], Mapping[str, Collection[str]]]
"""Catalog → package → the extensions that want the package and select the catalog."""


class Packages(Protocol):
    """Reads packages, and tells by itself when one differs from what a resolution saw."""

    async def refresh(self, catalog: Manifest, package: str) -> bool:
        """Whether the extensions that want the package must be woken, because nothing else tells them."""
        ...


class ContentChanges:
    """Looks at new contents while `run` runs; `catalog` finds a ClusterCatalog by name, `wake` gets extensions."""

    def __init__(
        self,
        packages: Packages,
        catalog: Callable[[str], Manifest | None],
        concerned: Concerned,
        wake: Callable[[str], None],
    ) -> None:
        self._packages = packages
        self._catalog = catalog
        self._concerned = concerned
        self._wake = wake
        self._asked: asyncio.Queue[str] = asyncio.Queue()
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self._slots = asyncio.Semaphore(_READ_AT_ONCE)

    def changed(self, catalog: str, package: str) -> None:
        """Wake those who want the package of the catalog: a resolution of theirs saw other content."""
        found = self._catalog(catalog)
        for extension in self._concerned(found).get(package, ()) if found is not None else ():
            self._wake(extension)

    def ask(self, catalog: str) -> None:
        """Look at the content of the catalog soon."""
        self._asked.put_nowait(catalog)

    async def run(self) -> None:
        """Look at every content that is asked about, for ever; a catalog that hangs holds up no other."""
        async with asyncio.TaskGroup() as group:
            while True:
                name = await self._asked.get()
                if name in self._busy:
                    self._again.add(name)
                else:
                    self._busy.add(name)
                    group.create_task(self._look(name))

    async def _look(self, name: str) -> None:
        try:
            catalog = self._catalog(name)
            if catalog is not None:
                async with asyncio.TaskGroup() as group:
                    for package, extensions in self._concerned(catalog).items():
                        group.create_task(self._refresh(catalog, package, extensions))
        finally:
            self._busy.discard(name)
        if name in self._again:
            self._again.discard(name)
            self.ask(name)

    async def _refresh(self, catalog: Manifest, package: str, extensions: Collection[str]) -> None:
        async with self._slots:
            if not await self._is_news(catalog, package):
                return
        for extension in extensions:
            self._wake(extension)

    async def _is_news(self, catalog: Manifest, package: str) -> bool:
        try:
            return await self._packages.refresh(catalog, package)
        except Exception as problem:  # a bug that one package brings to light must not end the process
            log.error("reading a package met a bug", package=package, exc_info=problem)
            return True  # the reconciles meet it as well, and tell
