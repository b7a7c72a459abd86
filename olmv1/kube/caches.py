"""Live, indexed copies of what the API server holds: one list, then a watch for ever.

Reconcilers read from a `Cache` instead of asking the server, and its handlers enqueue keys. `Caches` opens them on
demand and shares equal ones. It holds no rule of OLM and writes nothing to the cluster.
"""

from __future__ import annotations

import asyncio
import contextvars
import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from itertools import chain
from types import TracebackType

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, BadRequest, Gone, Invalid, NotFound
from olmv1.kube.intake import Handlers, Intake, Transform
from olmv1.kube.queue import Backoff
from olmv1.kube.resources import Resource
from olmv1.kube.store import Change, Store, name_in
from olmv1.kube.watch import Event, WatchQuery, events, trim
from olmv1.manifests import Manifest
from olmv1.selectors import Selector
from olmv1.telemetry.logs import get_logger

__all__ = ["Cache", "Caches", "Change", "Patience", "Transform"]

_INITIAL_EVENTS_END = "k8s.io/initial-events-end"
# Even draws keep the watches of many caches, and of many replicas, from renewing at the same moment.
_SHORTEST_WATCH_S, _LONGEST_WATCH_S = 300.0, 600.0
_RECONNECT = Backoff(0.5, 2.0, 30.0, jitter=True)
# A watch that ends sooner is a failing one: it is not asked for again without a pause.
_HEALTHY_WATCH_S = 5.0
_SLICE_S = 0.01

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """How a cache bears with a failing server.

    `reconnect`: the pauses between watches that fail. `initial_s`: when to give up on a list through a watch; ten
    thousand objects come in one second, and one that is not complete by then never will be.
    """

    reconnect: Backoff = _RECONNECT
    initial_s: float = 30.0


_USUAL = Patience()


class Cache:
    """The objects of one query; empty until synced, then as fresh as the watch.

    Handlers run in the order of the changes, in the task of `run`; they must be quick. Whatever a handler, an index or
    the transform raises is logged once and costs that one call: an object whose transform fails is kept without all
    but `apiVersion`, `kind` and `metadata`.
    """

    def __init__(  # noqa: PLR0913 - the parts of a query are named at the call, as for a list request
        self,
        client: KubeClient,
        resource: Resource,
        *,
        namespace: str | None = None,
        label_selector: str = "",
        field_selector: str = "",
        metadata_only: bool = False,
        keep_managed_fields: bool = False,
        transform: Transform | None = None,
        patience: Patience = _USUAL,
    ) -> None:
        self.query = WatchQuery(resource, namespace, label_selector, field_selector, metadata_only, keep_managed_fields)
        self._client = client
        self._patience = patience
        self._store = Store()
        self._intake = Intake(self.query, transform)
        self._handlers = Handlers(self.query)
        self._version = ""
        self._is_list_due = True  # the watch cannot go on from `_version`
        self._failures = 0
        self._is_streaming = True  # whether the server lists through a watch
        self._synced = asyncio.Event()
        self._problem = ""
        self._reported = ""

    def add_index(self, name: str, keys_of: Callable[[Manifest], Iterable[str]]) -> None:
        """Make `by_index(name, key)` find the objects for which `keys_of` yields `key`."""
        self._store.add_index(name, self._intake.keys(name, keys_of))

    def add_handler(self, handler: Callable[[Change], None], *, replay: bool = True) -> None:
        """Call `handler` for every change, with `replay` beginning with ADDED for each object that is here already."""
        self._handlers.add(handler, replay=self._store.items() if replay else ())

    def get(self, name: str, namespace: str = "") -> Manifest | None:
        """The object of that name, or `None`; never to be changed by the caller."""
        return self._store.get((namespace, name))

    def items(self, selector: Selector | None = None) -> tuple[Manifest, ...]:
        """The objects that `selector` matches, sorted by namespace and name; all without one."""
        return self._store.items(selector)

    def by_index(self, name: str, key: str) -> tuple[Manifest, ...]:
        """The objects that the index `name` knows under `key`, sorted by namespace and name."""
        return self._store.by_index(name, key)

    @property
    def is_synced(self) -> bool:
        """Whether the first complete list is in; it stays so while a watch is renewed."""
        return self._synced.is_set()

    @property
    def last_problem(self) -> str:
        """What stops the list or the watch now, in the words of the API server; empty when nothing does."""
        return self._problem

    @property
    def version(self) -> str:
        """The resource version that the content stands for, as of the last event or bookmark; empty before the list."""
        return self._version

    async def wait_synced(self) -> None:
        """Return when the first complete list is in."""
        await self._synced.wait()

    async def run(self) -> None:
        """Keep the cache up to date until cancelled, whatever the API server does."""
        while True:
            started = time.monotonic()
            problem = await self._round_or_problem()
            if time.monotonic() - started > _HEALTHY_WATCH_S:
                self._failures, self._reported = 0, ""
            self._report(problem)
            # One early end is nothing: a proxy restarted, or the version was too old and the list is due.
            self._failures += 1
            if problem is not None or self._failures > 2:
                await asyncio.sleep(self._patience.reconnect.delay_s(self._failures))

    async def _round_or_problem(self) -> ApiError | None:
        """What a person should hear of the round that ended; `None` when it ended as watches do."""
        try:
            await self._round()
        except Gone:
            self._is_list_due = True
        except NotFound as problem:
            # The kind is not served (any more): there are no objects of it, and that is the whole truth.
            await self._replace({})
            self._synchronised("")
            return problem
        except ApiError as problem:
            return problem
        return None

    async def _round(self) -> None:
        """One watch, with the list before it when there is nothing to go on from."""
        timeout_s = random.uniform(_SHORTEST_WATCH_S, _LONGEST_WATCH_S)  # noqa: S311 - spreads load, hides nothing
        if self._is_list_due and not self._is_streaming:
            await self._list_in_pages()
        is_listing = self._is_list_due
        parameters = {"resourceVersion": self._version}
        if is_listing:
            parameters = {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
        try:
            watch = events(self._client, self.query, parameters, timeout_s, self._watching)
            async with aclosing(watch) as stream:
                if is_listing:
                    async with asyncio.timeout(self._patience.initial_s):
                        await self._take_initial(stream)
                async for event in stream:
                    self._take(event)
        except (BadRequest, Invalid, TimeoutError):
            # Refused by servers that cannot list through a watch, and never completed before an old etcd.
            if not is_listing:
                raise
            self._is_streaming = False  # in pages from now on

    async def _take_initial(self, stream: AsyncIterator[Event]) -> None:
        fresh: dict[tuple[str, str], Manifest] = {}
        async for event in stream:
            if event.type == "BOOKMARK":
                if _ends_list(event):
                    await self._replace(fresh)
                    self._synchronised(_version_in(event))
                    return
            elif (kept := self._intake.kept(event.object)) is None:
                continue
            elif event.type == "DELETED":
                fresh.pop(name_in(kept), None)
            else:
                fresh[name_in(kept)] = kept

    async def _list_in_pages(self) -> None:
        fresh: dict[tuple[str, str], Manifest] = {}
        query = self.query
        pages = self._client.pages(
            query.resource, query.namespace, query=query.selectors, metadata_only=query.metadata_only
        )
        version = ""
        async for page in pages:
            for item in page.items:
                kept = self._intake.kept(trim(dict(item), query))
                if kept is not None:
                    fresh[name_in(kept)] = kept
            version = page.resource_version
        await self._replace(fresh)
        self._synchronised(version)

    def _synchronised(self, version: str) -> None:
        # Without a version there is nothing to go on from.
        self._version, self._is_list_due = version, not version
        self._synced.set()

    def _watching(self) -> None:
        self._problem = ""

    async def _replace(self, fresh: dict[tuple[str, str], Manifest]) -> None:
        """Make the store equal to `fresh`, as changes; long ones give way to other work in between."""
        gone = [name for name in self._store.names() if name not in fresh]
        pause_at = time.monotonic() + _SLICE_S
        for change in chain(map(self._store.remove, gone), map(self._store.put, fresh.values())):
            self._tell(change)
            if time.monotonic() >= pause_at:
                await asyncio.sleep(0)
                pause_at = time.monotonic() + _SLICE_S

    def _take(self, event: Event) -> None:
        kept = None if event.type == "BOOKMARK" else self._intake.kept(event.object)
        change = None
        if kept is not None and event.type == "DELETED":
            change = self._store.remove(name_in(kept), kept)
        elif kept is not None:
            change = self._store.put(kept)
        self._version = _version_in(event) or self._version
        self._tell(change)

    def _tell(self, change: Change | None) -> None:
        if change is None:
            return
        if change.type == "DELETED":
            self._intake.forget(name_in(change.object))
        self._handlers.tell(change)

    def _report(self, problem: ApiError | None) -> None:
        """Say once what is wrong, however often it is met."""
        self._problem = str(problem or "")
        if self._problem and self._problem != self._reported:
            log.warning("watch interrupted", query=str(self.query), problem=self._problem)
            self._reported = self._problem


def _ends_list(event: Event) -> bool:
    annotations = _metadata_of(event).get("annotations")
    return isinstance(annotations, Mapping) and annotations.get(_INITIAL_EVENTS_END) == "true"


def _version_in(event: Event) -> str:
    return str(_metadata_of(event).get("resourceVersion") or "")


def _metadata_of(event: Event) -> Manifest:
    metadata = event.object.get("metadata")
    return metadata if isinstance(metadata, Mapping) else {}


@dataclass(slots=True)
class _Open:
    cache: Cache
    task: asyncio.Task[None]
    users: int


class Caches:
    """The caches of one client, each running while somebody uses it: `async with Caches(client) as caches`."""

    def __init__(self, client: KubeClient, *, patience: Patience = _USUAL) -> None:
        self._client = client
        self._patience = patience
        self._group = asyncio.TaskGroup()
        self._open: dict[tuple[WatchQuery, Transform | None], _Open] = {}

    async def __aenter__(self) -> Caches:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for entry in self._open.values():
            entry.task.cancel()
        self._open.clear()
        await self._group.__aexit__(kind, problem, trace)

    def open(  # noqa: PLR0913 - the parts of a query are named at the call, as for a list request
        self,
        resource: Resource,
        *,
        namespace: str | None = None,
        label_selector: str = "",
        field_selector: str = "",
        metadata_only: bool = False,
        keep_managed_fields: bool = False,
        transform: Transform | None = None,
    ) -> Cache:
        """A running cache; equal arguments give the same one. Whoever opens it owes a `close`."""
        cache = Cache(
            self._client,
            resource,
            namespace=namespace,
            label_selector=label_selector,
            field_selector=field_selector,
            metadata_only=metadata_only,
            keep_managed_fields=keep_managed_fields,
            transform=transform,
            patience=self._patience,
        )
        entry = self._open.get((cache.query, transform))
        if entry is None:
            # The log lines of a watch are not about the object at which somebody came to need it.
            task = self._group.create_task(cache.run(), name=f"cache {cache.query}", context=contextvars.Context())
            entry = self._open[cache.query, transform] = _Open(cache, task, 0)
        entry.users += 1
        return entry.cache

    def close(self, cache: Cache) -> None:
        """Give the cache back; it stops with its last user and tells its handlers nothing more."""
        for key, entry in self._open.items():
            if entry.cache is cache:
                entry.users -= 1
                if not entry.users:
                    del self._open[key]
                    entry.task.cancel()
                return

    async def wait_synced(self) -> None:
        """Return when every cache that is open now has had its first complete list."""
        for entry in tuple(self._open.values()):
            await entry.cache.wait_synced()

    @property
    def all_synced(self) -> bool:
        """Whether every open cache has had its first complete list."""
        return all(entry.cache.is_synced for entry in self._open.values())
