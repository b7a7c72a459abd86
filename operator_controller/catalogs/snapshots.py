"""What the selected catalogs say about a package, ready for the resolver.

A package is parsed and indexed once per catalog digest. When a catalog cannot be read, its last good content of that
package is used: a sick catalog, or one that is just being replaced, stops nothing. A failure is remembered briefly, so
that many extensions do not each ask a catalog that does not answer. Rule: resolution.md 2, 16.2, 16.13.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from olmv1.conditions import is_true
from olmv1.errors import OlmError, RetryableError
from olmv1.fbc import package_of
from olmv1.manifests import Manifest, name_of
from olmv1.selectors import Selector
from operator_controller.catalogs.client import PackageLines
from operator_controller.catalogs.counting import base_url_of, counts, left_out, unusable_reason
from operator_controller.catalogs.store import PackageStore
from operator_controller.explanation import LeftOut
from operator_controller.resolver import CatalogContent, CatalogProblem, PackageIndex, index_package

__all__ = ["CatalogList", "Catalogs", "PackageSource", "Reading"]

_FAILURE_KEPT_S = 15.0

_KEPT_PACKAGES = 1024
"""Indexed packages in memory: one for each extension that a controller is designed for."""

_KEPT_ABSENCES = 16 * 1024
"""Packages that a catalog does not have. Every extension asks every catalog that it selects: they cost next to nothing,
and must not push out what was indexed."""


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
class Reading:
    """What the selected catalogs offer, in the order of their names.

    `unreadable` has a sentence for every catalog that says it is served and yet could not be read, also when its last
    good content is used: nothing announces that it can be read again.
    """

    catalogs: tuple[CatalogContent | CatalogProblem, ...]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """One package of one catalog at one digest; `index` is `None` when the catalog does not have the package.

    `lines` is the SHA-256 of its blobs: two digests of a catalog often have the same package.
    """

    ref: str
    lines: bytes
    index: PackageIndex | None


class _UnreadableError(RetryableError):
    """A catalog that is served could not be read."""


class Catalogs:
    """Reads catalogs for reconciles; `cache` is the watch of ClusterCatalogs, `clock` gives seconds."""

    def __init__(
        self,
        cache: CatalogList,
        client: PackageSource,
        store: PackageStore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.on_change: Callable[[str, str], None] = _ignore
        """Called with catalog and package when a resolution before this moment saw other content."""
        self._cache = cache
        self._client = client
        self._store = store
        self._kept = _Kept()
        self._digests: dict[tuple[str, str], bytes] = {}  # what was read last, also of packages no longer kept
        self._loading: dict[tuple[str, str, str, str], asyncio.Future[_Snapshot]] = {}
        self._failures = _Failures(clock)

    def selected(self, selector: Selector) -> tuple[Manifest, ...]:
        """The catalogs that count: matching, available, and not being deleted, by name. Rule: resolution.md 16.7."""
        return tuple(sorted(filter(counts, self._cache.items(selector)), key=name_of))

    def left_out(self, selector: Selector) -> tuple[LeftOut, ...]:
        """The other catalogs, and why they do not count, by name."""
        return tuple(left_out(self._cache.items(), selector))

    async def read(self, selector: Selector, package: str) -> Reading:
        """What every selected catalog offers for `package`; raises nothing."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._content(item, package)) for item in self.selected(selector)]
        found = [task.result() for task in tasks]
        return Reading(tuple(offer for offer, _ in found), tuple(text for _, text in found if text))

    async def refresh(self, catalog: Manifest, package: str) -> bool:
        """Read what the catalog says about `package` now; whether resolutions may not know of it by `on_change`.

        They may not when it cannot be read, or when nobody read it before. Raises nothing.
        """
        is_known = (name_of(catalog), package) in self._digests
        try:
            await self._snapshot(catalog, package)
        except OlmError:
            return True  # the reconcile tells what is wrong
        return not is_known

    async def _content(self, catalog: Manifest, package: str) -> tuple[CatalogContent | CatalogProblem, str]:
        """What the catalog offers, and why it could not be read if it should have been."""
        name, priority = name_of(catalog), int(catalog["spec"].get("priority") or 0)
        text = ""
        try:
            snapshot = await self._snapshot(catalog, package)
        except OlmError as error:
            kept = self._kept.get((name, package))
            if isinstance(error, _UnreadableError):
                text = f'catalog "{name}" cannot be read{"" if kept is None else ", its last content is used"}: {error}'
            if kept is None:
                return CatalogProblem(name, priority, str(error)), text
            snapshot = kept
        return CatalogContent(name, priority, snapshot.index), text

    async def _snapshot(self, catalog: Manifest, package: str) -> _Snapshot:
        name, ref = name_of(catalog), _resolved_ref(catalog)
        kept = self._kept.get((name, package))
        if kept is not None and kept.ref == ref:
            return kept
        place = (name, ref, base_url_of(catalog), package)
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
        name, server = name_of(catalog), base_url_of(catalog)
        self._failures.raise_known((name, ref, server), (name, ref, server, package))
        lines = await self._store.read(name, ref, package)
        if lines is None:
            lines = await self._fetch(catalog, ref, package)
            await self._store.store(name, ref, package, lines)
        kept = self._kept.get((name, package))
        try:
            snapshot = await asyncio.to_thread(_snapshot_of, ref, package, lines, kept)
        except OlmError as error:
            problem = _UnreadableError(f'error loading package "{package}": {error}')
            raise self._failures.remembered(problem, name, ref, server, package) from error
        self._kept.put((name, package), snapshot)
        before = self._digests.get((name, package))
        self._digests[(name, package)] = snapshot.lines
        if before is not None and before != snapshot.lines:
            self.on_change(name, package)
        return snapshot

    async def _fetch(self, catalog: Manifest, ref: str, package: str) -> tuple[bytes, ...]:
        """The lines from catalogd; a failure is one of the whole catalog."""
        name, server = name_of(catalog), base_url_of(catalog)
        if (reason := unusable_reason(catalog)) is not None:
            raise RetryableError(reason)
        try:
            return (await self._client.fetch(server, package)).lines
        except RetryableError as error:
            text = f'error retrieving cache for catalog "{name}": {error}'
            problem = _UnreadableError(text, retry_after_s=error.retry_after_s)
            raise self._failures.remembered(problem, name, ref, server) from error


def _ignore(_catalog: str, _package: str) -> None:
    """Nobody wants to know."""


class _Kept:
    """The snapshots by catalog and package that were used last."""

    def __init__(self) -> None:
        self._present: OrderedDict[tuple[str, str], _Snapshot] = OrderedDict()
        self._absent: OrderedDict[tuple[str, str], _Snapshot] = OrderedDict()

    def get(self, place: tuple[str, str]) -> _Snapshot | None:
        """The snapshot, which counts as used now."""
        kept = self._present if place in self._present else self._absent
        found = kept.get(place)
        if found is not None:
            kept.move_to_end(place)
        return found

    def put(self, place: tuple[str, str], snapshot: _Snapshot) -> None:
        """Keep the snapshot instead of the one before, and let the longest unused one go."""
        self._present.pop(place, None)
        self._absent.pop(place, None)
        is_absent = snapshot.index is None
        kept, limit = (self._absent, _KEPT_ABSENCES) if is_absent else (self._present, _KEPT_PACKAGES)
        kept[place] = snapshot
        if len(kept) > limit:
            kept.popitem(last=False)


class _Failures:
    """What failed in the last seconds, of a whole catalog or of one package at one digest."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: dict[tuple[str, ...], tuple[float, _UnreadableError]] = {}

    def raise_known(self, *places: tuple[str, ...]) -> None:
        """Raise again what is remembered about one of these places: a catalog at its address, a package in it."""
        now = self._clock()
        self._known = {place: known for place, known in self._known.items() if now < known[0]}
        for place in places:
            if place in self._known:
                known = self._known[place][1]
                raise _UnreadableError(str(known), retry_after_s=known.retry_after_s)

    def remembered(self, problem: _UnreadableError, *place: str) -> _UnreadableError:
        """`problem`, from now on known."""
        kept_s = min(_FAILURE_KEPT_S, problem.retry_after_s or _FAILURE_KEPT_S)
        self._known[place] = (self._clock() + kept_s, problem)
        return problem


def _snapshot_of(ref: str, package: str, lines: tuple[bytes, ...], kept: _Snapshot | None) -> _Snapshot:
    digest = hashlib.sha256(b"\n".join(lines)).digest()
    if kept is not None and kept.lines == digest:
        return _Snapshot(ref, digest, kept.index)
    found = package_of(package, lines)
    return _Snapshot(ref, digest, None if found is None else index_package(found))


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
