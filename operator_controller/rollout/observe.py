"""What is known of the objects that revisions manage, without asking the API server again.

One watch per kind in use, filtered by the owner label, shared by all revisions. An object is kept as its metadata, its
status and a fingerprint of everything else; the fingerprint tells a change of content from a change of status.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.api.names import ANNOTATION_LAST_APPLIED, LABEL_OWNER_NAME
from olmv1.errors import RetryableError
from olmv1.kube.caches import Cache, Caches, Change
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, ObjectKey, key_of, uid_of

__all__ = ["FINGERPRINT", "Mark", "Observer", "slim"]

FINGERPRINT = "fingerprint"
"""Field of a slim object: digest of its content without status and without what the API server keeps for itself."""

_SERVER_FIELDS = frozenset(
    {"resourceVersion", "managedFields", "generation", "creationTimestamp", "uid", "selfLink", "deletionTimestamp"}
)

_BOOKKEEPING = frozenset({ANNOTATION_LAST_APPLIED, "deployment.kubernetes.io/revision"})
"""Annotations that others keep their own books in: they change without the content changing."""

_WATCH_S = 5.0
"""How long a pass waits for the first list of a kind; a kind that cannot be listed must not hold up the workers."""


def slim(obj: Manifest) -> dict[str, Any]:
    """`obj` with only metadata and status, and the fingerprint of its whole content."""
    metadata = obj.get("metadata") or {}
    annotations = {k: v for k, v in (metadata.get("annotations") or {}).items() if k not in _BOOKKEEPING}
    kept = {key: value for key, value in metadata.items() if key not in ("managedFields", "annotations")}
    return {
        "apiVersion": obj.get("apiVersion"),
        "kind": obj.get("kind"),
        "metadata": {**kept, "annotations": annotations},
        "status": obj.get("status") or {},
        FINGERPRINT: _fingerprint(obj, kept, annotations),
    }


def _fingerprint(obj: Manifest, metadata: Mapping[str, Any], annotations: Mapping[str, str]) -> str:
    wanted = {key: value for key, value in metadata.items() if key not in _SERVER_FIELDS}
    content = {key: value for key, value in obj.items() if key not in ("metadata", "status")}
    try:
        text = orjson.dumps([wanted, annotations, content], option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except TypeError:
        # Deeper than any bundle, so it is not ours and need not be compared: its version stands for its content.
        text = str(metadata.get("resourceVersion")).encode()
    return hashlib.blake2b(text, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Mark:
    """What a revision last applied to an object, and the slim object that the API server answered with."""

    owner_uid: str
    digest: str
    live: Mapping[str, Any]


class Observer:
    """Watches the kinds that revisions use and remembers what was applied.

    `on_change` is called with the names of the ClusterObjectSets that own a changed object.
    """

    def __init__(self, caches: Caches, on_change: Callable[[str], None]) -> None:
        self._caches = caches
        self._on_change = on_change
        self._open: dict[Resource, Cache] = {}
        self._users: dict[str, frozenset[Resource]] = {}
        self._uses: Counter[Resource] = Counter()
        self._marks: dict[tuple[Resource, str, str], Mark] = {}
        self._followers: dict[tuple[Resource, str, str], dict[str, str]] = {}

    async def watch(self, owner_uid: str, resource: Resource) -> None:
        """Have a kind watched for a revision; returns when its first list is complete.

        Raises:
            RetryableError: it cannot be listed now.
        """
        mine = self._users.get(owner_uid, frozenset())
        if resource not in mine:
            self._users[owner_uid] = mine | {resource}
            self._uses[resource] += 1
            if resource not in self._open:
                self._open[resource] = self._start(resource)
        cache = self._open[resource]
        if cache.is_synced:
            return
        try:
            async with asyncio.timeout(_WATCH_S):
                await cache.wait_synced()
        except TimeoutError:
            why = cache.last_problem or f"{resource.plural}.{resource.group} were not listed in {_WATCH_S:g} s"
            raise RetryableError(f"establish watch: {why}") from None

    def follow(self, owner: tuple[str, str], resource: Resource, key: ObjectKey) -> None:
        """Have a revision (its UID and name) woken by changes of an object that is not its own; the kind is watched."""
        uid, name = owner
        self._followers.setdefault((resource, key.namespace, key.name), {})[uid] = name

    def release(self, owner_uid: str) -> None:
        """Forget a revision; kinds that no other revision uses are watched no longer."""
        for resource in self._users.pop(owner_uid, frozenset()):
            self._uses[resource] -= 1
            if self._uses[resource] <= 0:
                del self._uses[resource]
                self._caches.close(self._open.pop(resource))
        gone = [place for place, mark in self._marks.items() if mark.owner_uid == owner_uid]
        for place in gone:
            del self._marks[place]
        for place in [place for place, followers in self._followers.items() if owner_uid in followers]:
            del self._followers[place][owner_uid]
            if not self._followers[place]:
                del self._followers[place]

    def live(self, resource: Resource, key: ObjectKey) -> Mapping[str, Any] | None:
        """The newest that is known of an object: the watch, or the answer to our own write when that is newer."""
        mark = self._marks.get((resource, key.namespace, key.name))
        cache = self._open.get(resource)
        seen = cache.get(key.name, key.namespace) if cache is not None else None
        if mark is None or (seen is not None and _version(seen) >= _version(mark.live)):
            return seen
        if seen is None and cache is not None and _number(cache.version) >= _version(mark.live):
            # The watch has passed our write and does not have the object: it went while the watch was broken.
            del self._marks[resource, key.namespace, key.name]
            return None
        return mark.live

    def is_settled(self, resource: Resource, key: ObjectKey, owner_uid: str, digest: str) -> bool:
        """Whether the object still is what `owner_uid` made of it by applying `digest`."""
        mark = self._marks.get((resource, key.namespace, key.name))
        if mark is None or (mark.owner_uid, mark.digest) != (owner_uid, digest):
            return False
        live = self.live(resource, key)
        return live is not None and live[FINGERPRINT] == mark.live[FINGERPRINT]

    def record(self, resource: Resource, applied: Manifest, owner_uid: str, digest: str) -> Mapping[str, Any]:
        """Remember the answer to a write; returns its slim form."""
        key, live = key_of(applied), slim(applied)
        self._marks[(resource, key.namespace, key.name)] = Mark(owner_uid, digest, live)
        return live

    def _start(self, resource: Resource) -> Cache:
        cache = self._caches.open(resource, label_selector=LABEL_OWNER_NAME, transform=slim)
        cache.add_handler(lambda change: self._changed(resource, change))
        return cache

    def _changed(self, resource: Resource, change: Change) -> None:
        key = key_of(change.object)
        place = (resource, key.namespace, key.name)
        mark = self._marks.get(place)
        if change.type == "DELETED" and mark is not None and uid_of(mark.live) == uid_of(change.object):
            del self._marks[place]
        for name in self._followers.get(place, {}).values():
            self._on_change(name)
        for obj in (change.object, change.old):
            for reference in ((obj or {}).get("metadata") or {}).get("ownerReferences") or ():
                if reference.get("kind") == "ClusterObjectSet":
                    self._on_change(str(reference.get("name")))


def _version(obj: Manifest) -> int:
    """The resource version as a number; the API server promises comparable numbers for every kind since 1.35."""
    return _number(str(obj["metadata"].get("resourceVersion") or ""))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
