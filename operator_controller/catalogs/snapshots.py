"""What the selected catalogs say about a package, ready for the resolver.

A package is parsed and indexed once per catalog digest. When a catalog cannot be read, its last good content of that
package is used: a sick catalog, or one that is just being replaced, stops nothing. Rule: resolution.md 2, 16.2, 16.13.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from olmv1.conditions import is_true
from olmv1.errors import OlmError, RetryableError
from olmv1.fbc import package_of
from olmv1.manifests import Manifest, is_deleting, name_of
from olmv1.selectors import Selector
from operator_controller.catalogs.client import PackageLines
from operator_controller.catalogs.store import PackageStore
from operator_controller.resolver import CatalogContent, CatalogProblem, PackageIndex, index_package

__all__ = ["CatalogList", "Catalogs", "PackageSource"]

_KEPT_PACKAGES = 1024
"""Indexed packages in memory: one for each extension that a controller is designed for."""


class CatalogList(Protocol):
    """The ClusterCatalogs as they are now: a watch."""

    def items(self, selector: Selector | None = None) -> tuple[Manifest, ...]:
        """The catalogs that `selector` matches."""
        ...


class PackageSource(Protocol):
    """Where packages come from: catalogd."""

    async def fetch(self, base_url: str, package: str) -> PackageLines:
        """The blobs of `package` in the catalog at `base_url`; raises `RetryableError`."""
        ...


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """One package of one catalog at one digest; `index` is `None` when the catalog does not have the package."""

    ref: str
    index: PackageIndex | None


class Catalogs:
    """Reads catalogs for reconciles; `cache` is the watch of ClusterCatalogs."""

    def __init__(self, cache: CatalogList, client: PackageSource, store: PackageStore) -> None:
        self._cache = cache
        self._client = client
        self._store = store
        self._kept: OrderedDict[tuple[str, str], _Snapshot] = OrderedDict()
        self._loading: dict[tuple[str, str, str], asyncio.Future[_Snapshot]] = {}

    def selected(self, selector: Selector) -> tuple[Manifest, ...]:
        """The catalogs that count: matching, available, and not being deleted, by name. Rule: resolution.md 16.7."""
        found = [
            catalog
            for catalog in self._cache.items(selector)
            if (catalog.get("spec") or {}).get("availabilityMode") != "Unavailable" and not is_deleting(catalog)
        ]
        return tuple(sorted(found, key=name_of))

    async def contents(self, selector: Selector, package: str) -> tuple[CatalogContent | CatalogProblem, ...]:
        """What every selected catalog offers for `package`, in the order of their names."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._content(item, package)) for item in self.selected(selector)]
        return tuple(task.result() for task in tasks)

    async def _content(self, catalog: Manifest, package: str) -> CatalogContent | CatalogProblem:
        name, priority = name_of(catalog), int(catalog["spec"].get("priority") or 0)
        try:
            snapshot = await self._snapshot(catalog, package)
        except OlmError as error:
            kept = self._kept.get((name, package))
            if kept is None:
                return CatalogProblem(name, priority, str(error))
            snapshot = kept
        return CatalogContent(name, priority, snapshot.index)

    async def _snapshot(self, catalog: Manifest, package: str) -> _Snapshot:
        name, ref = name_of(catalog), _resolved_ref(catalog)
        kept = self._kept.get((name, package))
        if kept is not None and kept.ref == ref:
            self._kept.move_to_end((name, package))
            return kept
        place = (name, ref, package)
        if place in self._loading:
            return await asyncio.shield(self._loading[place])
        loading: asyncio.Future[_Snapshot] = asyncio.get_running_loop().create_future()
        self._loading[place] = loading
        try:
            snapshot = await self._load(catalog, ref, package)
            loading.set_result(snapshot)
            return snapshot
        except BaseException as error:
            # Those who wait for the same load get the same answer; a cancelled load is a try again for them.
            reason = error if isinstance(error, OlmError) else RetryableError(f'cache for catalog "{name}" not found')
            loading.set_exception(reason)
            loading.exception()  # read here, so that nobody waiting is no "never retrieved"
            raise
        finally:
            del self._loading[place]

    async def _load(self, catalog: Manifest, ref: str, package: str) -> _Snapshot:
        name = name_of(catalog)
        lines = await self._store.read(name, ref, package)
        if lines is None:
            if not is_true(catalog, "Serving"):
                raise RetryableError(f'catalog "{name}" is not being served')
            base_url = _base_url(catalog)
            try:
                fetched = await self._client.fetch(base_url, package)
            except RetryableError as error:
                text = f'error retrieving cache for catalog "{name}": {error}'
                raise RetryableError(text, retry_after_s=error.retry_after_s) from error
            lines = fetched.lines
            await self._store.store(name, ref, package, lines)
        try:
            index = await asyncio.to_thread(_index, package, lines)
        except OlmError as error:
            raise RetryableError(f'error loading package "{package}": {error}') from error
        snapshot = _Snapshot(ref, index)
        self._kept[(name, package)] = snapshot
        while len(self._kept) > _KEPT_PACKAGES:
            self._kept.popitem(last=False)
        return snapshot


def _index(package: str, lines: tuple[bytes, ...]) -> PackageIndex | None:
    found = package_of(package, lines)
    return None if found is None else index_package(found)


def _resolved_ref(catalog: Manifest) -> str:
    """The digest reference of the served content. Raises `RetryableError` with the texts of resolution.md 7 row 4."""
    name, status = name_of(catalog), catalog.get("status") or {}
    resolved = status.get("resolvedSource")
    if not resolved and not is_true(catalog, "Serving"):
        raise RetryableError(f'catalog "{name}" is not being served')
    if not resolved:
        raise RetryableError(f'error: catalog "{name}" has a nil status.resolvedSource value')
    image = resolved.get("image") or {}
    if not image.get("ref"):
        raise RetryableError(f'error: catalog "{name}" has a nil status.resolvedSource.image value')
    return str(image["ref"])


def _base_url(catalog: Manifest) -> str:
    urls = (catalog.get("status") or {}).get("urls") or {}
    if not urls.get("base"):
        raise RetryableError(f'error: catalog "{name_of(catalog)}" has a nil status.urls value')
    return str(urls["base"]).rstrip("/")
