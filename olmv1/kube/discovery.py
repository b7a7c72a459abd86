"""Which kinds the API server serves, and under which path.

Called where a manifest of any kind is applied or watched. Asks both halves of the aggregated discovery (two requests,
revalidated by ETag later), plain discovery where a server does not know the aggregated form.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound, ServerError
from olmv1.kube.resources import Resource
from olmv1.served import Served, version_of

__all__ = ["Discovery", "NoSuchKind"]

_VERSION_KEPT_S = 300.0
"""An upgrade of the cluster changes no CRD, so nothing tells of its new version."""

_AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"


class NoSuchKind(RetryableError):  # noqa: N818 - named like the other refusals of the API
    """The API server does not serve the kind (yet): its CRD may still come."""

    def __init__(self, api_version: str, kind: str) -> None:
        super().__init__(f'no matches for kind "{kind}" in version "{api_version}"')
        self.api_version = api_version
        self.kind = kind


@dataclass(frozen=True, slots=True)
class _Half:
    """What one of the two roots (`/api`, `/apis`) said, and the validator to ask again with."""

    etag: str
    resources: tuple[Resource, ...]


class Discovery:
    """The kinds of one API server, read on first use and again when a kind is missing."""

    def __init__(self, client: KubeClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._halves: dict[str, _Half] = {}
        self._kinds: Mapping[tuple[str, str], Resource] = {}
        self._told = 0  # how often we were told that something has changed
        self._known_of = -1  # of how many of these changes `_kinds` knows
        self._generation = 0
        self._served: tuple[Mapping[tuple[str, str], Resource], Served] | None = None
        self._version: tuple[float, str] | None = None
        self._clock = clock
        self._under_way: asyncio.Event | None = None

    async def resource_for(self, api_version: str, kind: str) -> Resource:
        """The resource behind `apiVersion` and `kind` of a manifest; a miss asks the server once more.

        Raises:
            NoSuchKind: the server does not serve it.
            ApiError: the server cannot be asked.
        """
        was_fresh = await self._read_if_stale()
        found = self._kinds.get((api_version, kind))
        if found is None and was_fresh:
            await self._refresh()
            found = self._kinds.get((api_version, kind))
        if found is None:
            raise NoSuchKind(api_version, kind)
        return found

    async def serves(self, group: str, kind: str | None = None) -> bool:
        """Whether any version of `group` is served, or of `kind` in it; a miss asks the server once more.

        Raises:
            ApiError: the server cannot be asked.
        """
        was_fresh = await self._read_if_stale()
        if was_fresh and not self._has(group, kind):
            await self._refresh()
        return self._has(group, kind)

    async def served(self) -> Served:
        """Everything that the server serves, and its version; the same value until something changes.

        Raises:
            ApiError: the server cannot be asked.
        """
        await self._read_if_stale()
        version, known = await self._kube_version(), self._kinds
        if self._served is None or self._served[0] is not known or self._served[1].kube_version != version:
            kinds = frozenset((item.group, item.version, item.kind) for item in known.values())
            wide = frozenset((item.group, item.kind) for item in known.values() if not item.namespaced)
            self._served = (known, Served(version, kinds, wide))
        return self._served[1]

    def knows(self, api_version: str, kind: str) -> bool:
        """Whether the kind was served when the server was last asked; asks nothing."""
        return (api_version, kind) in self._kinds

    def invalidate(self) -> None:
        """Ask the server at the next question: a CRD came or went."""
        self._told += 1

    async def _kube_version(self) -> str:
        now = self._clock()
        if self._version is None or now - self._version[0] >= _VERSION_KEPT_S:
            answer = orjson.loads((await self._client.fetch("/version")).body)
            self._version = (now, version_of(answer.get("gitVersion") or ""))
        return self._version[1]

    def _has(self, group: str, kind: str | None) -> bool:
        return any(item.group == group and kind in (None, item.kind) for item in self._kinds.values())

    async def _read_if_stale(self) -> bool:
        """Whether the answer was fresh before."""
        was_fresh = self._known_of == self._told
        if not was_fresh:
            await self._refresh()
        return was_fresh

    async def _refresh(self) -> None:
        """Ask once for everybody who wants to know at this moment; a failed asker hands over to the next.

        An answer that was under way when something changed may not know of it: it serves those who asked before.
        """
        seen, wanted = self._generation, self._told
        while self._under_way is not None:
            await self._under_way.wait()
            if self._generation != seen and self._known_of >= wanted:
                return
        self._under_way, told = asyncio.Event(), self._told
        try:
            halves = {root: await self._read(root) for root in ("/api", "/apis")}
            if any(halves[root] is not self._halves.get(root) for root in halves):
                kinds: dict[tuple[str, str], Resource] = {}
                for item in (item for half in halves.values() for item in half.resources):
                    kinds.setdefault((item.api_version, item.kind), item)
                self._kinds = kinds
            self._halves, self._known_of = halves, told
            self._generation += 1
        finally:
            self._under_way.set()
            self._under_way = None

    async def _read(self, root: str) -> _Half:
        known = self._halves.get(root)
        headers = {"Accept": _AGGREGATED, **({"If-None-Match": known.etag} if known and known.etag else {})}
        answer = await self._client.fetch(root, headers=headers)
        if answer.status == 304 and known is not None:
            return known
        document = orjson.loads(answer.body)
        if document.get("kind") == "APIGroupDiscoveryList":
            return _Half(answer.headers.get("ETag", ""), tuple(_aggregated(document)))
        return _Half("", await self._read_plain(document))

    async def _read_plain(self, document: Mapping[str, Any]) -> tuple[Resource, ...]:
        found: list[Resource] = []
        for path in _group_version_paths(document):
            try:
                answer = orjson.loads((await self._client.fetch(path, headers={"Accept": "application/json"})).body)
            except (NotFound, ServerError):
                continue  # an aggregated API that is down hides its own kinds only
            found += _plain(answer)
        return tuple(found)


def _aggregated(document: Mapping[str, Any]) -> Iterator[Resource]:
    for group in document.get("items") or ():
        name = (group.get("metadata") or {}).get("name") or ""
        for version in group.get("versions") or ():
            for item in version.get("resources") or ():
                kind = (item.get("responseKind") or {}).get("kind")
                if kind:
                    is_namespaced = item.get("scope") == "Namespaced"
                    yield Resource(name, version["version"], item["resource"], kind, is_namespaced)


def _group_version_paths(document: Mapping[str, Any]) -> Iterable[str]:
    if "groups" in document:
        return [f"/apis/{version['groupVersion']}" for group in document["groups"] for version in group["versions"]]
    return [f"/api/{version}" for version in document.get("versions") or ()]


def _plain(document: Mapping[str, Any]) -> Iterator[Resource]:
    group, _, version = str(document.get("groupVersion") or "").rpartition("/")
    for item in document.get("resources") or ():
        if "/" not in item["name"]:  # the others are subresources
            yield Resource(group, version, item["name"], item["kind"], bool(item["namespaced"]))
