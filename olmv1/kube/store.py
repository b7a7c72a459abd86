"""The objects of a cache in memory: look-up by name, selector and index. Pure; one writer, `olmv1.kube.caches`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from olmv1.manifests import Manifest, labels_of
from olmv1.selectors import Selector

__all__ = ["Change", "Name", "Store", "name_in"]

Name = tuple[str, str]
"""Namespace (empty when cluster-scoped) and name."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one object: DELETED carries the last known `object`; `old` is `None` for ADDED only."""

    type: Literal["ADDED", "MODIFIED", "DELETED"]
    object: Manifest
    old: Manifest | None = None


def name_in(manifest: Manifest) -> Name:
    """The key of an object in a store."""
    metadata = manifest["metadata"]
    return metadata.get("namespace") or "", metadata["name"]


class _Index:
    """Which objects answer to which key of one index function."""

    def __init__(self, keys_of: Callable[[Manifest], Iterable[str]]) -> None:
        self._keys_of = keys_of
        self._names: dict[str, set[Name]] = {}

    def add(self, name: Name, manifest: Manifest) -> None:
        for key in self._keys_of(manifest):
            self._names.setdefault(key, set()).add(name)

    def discard(self, name: Name, manifest: Manifest) -> None:
        for key in self._keys_of(manifest):
            names = self._names.get(key)
            if names is not None:
                names.discard(name)
                if not names:
                    del self._names[key]

    def names(self, key: str) -> Iterable[Name]:
        return self._names.get(key, ())


class Store:
    """The live objects of one query, each as it was last seen."""

    def __init__(self) -> None:
        self._objects: dict[Name, Manifest] = {}
        self._indexes: dict[str, _Index] = {}

    def __len__(self) -> int:
        return len(self._objects)

    def add_index(self, name: str, keys_of: Callable[[Manifest], Iterable[str]]) -> None:
        """Find objects by `keys_of(object)` too; objects that are here already are found as well."""
        index = self._indexes[name] = _Index(keys_of)
        for key, manifest in self._objects.items():
            index.add(key, manifest)

    def get(self, name: Name) -> Manifest | None:
        """The object of that name, or `None`."""
        return self._objects.get(name)

    def names(self) -> tuple[Name, ...]:
        """The names of all objects, sorted."""
        return tuple(sorted(self._objects))

    def items(self, selector: Selector | None = None) -> tuple[Manifest, ...]:
        """The objects that `selector` matches, sorted by namespace and name; all without one."""
        found = (self._objects[name] for name in sorted(self._objects))
        if selector is None:
            return tuple(found)
        return tuple(manifest for manifest in found if selector.matches(labels_of(manifest)))

    def by_index(self, index: str, key: str) -> tuple[Manifest, ...]:
        """The objects that answer to `key` of an index, sorted by namespace and name."""
        return tuple(self._objects[name] for name in sorted(self._indexes[index].names(key)))

    def put(self, manifest: Manifest) -> Change | None:
        """Keep `manifest` and say what that changed; `None` when this very version is here already."""
        name = name_in(manifest)
        old = self._objects.get(name)
        if old is not None and _is_same(old, manifest):
            return None
        for index in self._indexes.values():
            if old is not None:
                index.discard(name, old)
            index.add(name, manifest)
        self._objects[name] = manifest
        return Change("ADDED", manifest) if old is None else Change("MODIFIED", manifest, old)

    def remove(self, name: Name, last: Manifest | None = None) -> Change | None:
        """Forget the object; `last` is its final state when the server told it."""
        old = self._objects.pop(name, None)
        if old is None:
            return None
        for index in self._indexes.values():
            index.discard(name, old)
        return Change("DELETED", last or old, old)


def _is_same(old: Manifest, new: Manifest) -> bool:
    before, now = old["metadata"], new["metadata"]
    if not now.get("resourceVersion"):  # some aggregated APIs give none: then the content decides
        return old == new
    return bool(before.get("uid") == now.get("uid") and before.get("resourceVersion") == now["resourceVersion"])
