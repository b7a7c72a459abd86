"""What a cache keeps of each object it is sent, and who hears of it; nothing here ever stops the cache.

Objects come from others, and transforms, indexes and handlers meet them whatever they look like: a fault costs the one
object or the one call, and is said once in the log. One caller, `olmv1.kube.caches`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from olmv1.kube.store import Change, Name, name_in
from olmv1.kube.watch import WatchQuery
from olmv1.manifests import Manifest
from olmv1.telemetry.logs import get_logger

__all__ = ["Handlers", "Intake", "Transform"]

Transform = Callable[[Manifest], Manifest]
"""What a cache keeps of an object; it must keep `metadata.name`, `.namespace`, `.uid` and `.resourceVersion`."""

_ALWAYS_KEPT = ("apiVersion", "kind", "metadata")

log = get_logger(__name__)


class Intake:
    """The objects of one query on their way into its store."""

    def __init__(self, query: WatchQuery, transform: Transform | None) -> None:
        self._query = query
        self._transform = transform
        self._told: set[tuple[str, str, str]] = set()  # faults that are in the log: what, and at which object

    def kept(self, document: Mapping[str, Any]) -> Manifest | None:
        """The object as it is stored: only its metadata when the transform fails, nothing when it has no name."""
        if not _has_name(document):
            self._tell("object without a name left out", ("", ""))
            return None
        if self._transform is None:
            return document
        name = name_in(document)
        try:
            kept = self._transform(document)
            if name_in(kept) == name:
                return kept
            self._tell("transform lost the name of an object", name)
        except Exception as problem:  # whatever one object does to it, the cache goes on
            self._tell("transform failed", name, problem)
        return {key: document[key] for key in _ALWAYS_KEPT if key in document}

    def keys(self, index: str, keys_of: Callable[[Manifest], Iterable[str]]) -> Callable[[Manifest], Iterable[str]]:
        """`keys_of`, with no keys for an object that it fails at."""

        def guarded(manifest: Manifest) -> Iterable[str]:
            try:
                return tuple(keys_of(manifest))
            except Exception as problem:  # as above
                self._tell(f"index {index} failed", name_in(manifest), problem)
                return ()

        return guarded

    def forget(self, name: Name) -> None:
        """Drop what is remembered about an object that is gone."""
        if self._told:
            self._told = {fault for fault in self._told if fault[1:] != name}

    def _tell(self, what: str, name: Name, problem: Exception | None = None) -> None:
        if (what, *name) in self._told:
            return
        self._told.add((what, *name))
        log.warning(
            "object not understood",
            fault=what,
            kind=self._query.resource.kind,
            namespace=name[0],
            object=name[1],
            exc_info=problem,
        )


class Handlers:
    """Who hears of the changes of a cache, in the order in which they asked for it."""

    def __init__(self, query: WatchQuery) -> None:
        self._query = query
        self._handlers: list[Callable[[Change], None]] = []
        self._told: set[tuple[int, type[Exception]]] = set()

    def add(self, handler: Callable[[Change], None], *, replay: Iterable[Manifest] = ()) -> None:
        """Tell `handler` ADDED for every object of `replay`, and every change from now on."""
        number = len(self._handlers)
        for manifest in replay:
            self._call(number, handler, Change("ADDED", manifest))
        self._handlers.append(handler)

    def tell(self, change: Change) -> None:
        """Call every handler; one that fails keeps nobody else from hearing of it."""
        for number, handler in enumerate(self._handlers):
            self._call(number, handler, change)

    def _call(self, number: int, handler: Callable[[Change], None], change: Change) -> None:
        try:
            handler(change)
        except Exception as problem:  # a bug in one handler must not blind the others
            # Once per kind of fault: the next thousand changes would only repeat it.
            if (number, type(problem)) not in self._told:
                self._told.add((number, type(problem)))
                namespace, name = name_in(change.object)
                log.error("handler failed", query=str(self._query), namespace=namespace, object=name, exc_info=problem)


def _has_name(document: Mapping[str, Any]) -> bool:
    metadata = document.get("metadata")
    if not isinstance(metadata, Mapping):
        return False
    name = metadata.get("name")
    return isinstance(name, str) and bool(name) and isinstance(metadata.get("namespace"), str | None)
