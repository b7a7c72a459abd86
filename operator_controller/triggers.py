"""Which change of the cluster wakes which reconcile. Rule: clusterextension.md 3.1, 11.7 and 15 rows 7, 17, 22.

Called by the wiring once at start: it adds handlers to the watches. A handler only names keys; reconciles decide.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from olmv1.api.names import LABEL_OWNER_NAME, LABEL_REVISION_NAME
from olmv1.conditions import condition_of
from olmv1.kube.caches import Cache, Change
from olmv1.kube.discovery import Discovery
from olmv1.manifests import Manifest, annotations_of, is_deleting, labels_of, name_of
from olmv1.selectors import Selector
from operator_controller.pace import Pace
from operator_controller.revisions.view import account_of, extension_of, family_of
from operator_controller.rollout.revisions import BY_OWNER
from operator_controller.target import is_paused

__all__ = [
    "BY_ACCOUNT",
    "Interests",
    "Queue",
    "Queues",
    "Triggers",
    "Watches",
    "account_keys",
    "concerned_by",
    "set_account_keys",
]

BY_ACCOUNT = "account"
"""Index of the watches of extensions and of sets: `<namespace>/<service account>`."""

_SCAN_PAUSE_S = 0.5
_SERVED_AFTER_S = 2.0
_OF_A_DEFINITION = "kube-aggregator.kubernetes.io/automanaged"
"""Label of the APIServices that the API server makes for CRDs and for itself; CRDs are watched already."""


def account_keys(ext: Manifest) -> tuple[str, ...]:
    """The index function of `BY_ACCOUNT` for extensions."""
    spec = ext.get("spec") or {}
    name = (spec.get("serviceAccount") or {}).get("name")
    return (f"{spec.get('namespace')}/{name}",) if name else ()


def set_account_keys(object_set: Manifest) -> tuple[str, ...]:
    """The index function of `BY_ACCOUNT` for sets."""
    account = account_of(object_set)
    return ("/".join(account),) if account else ()


@dataclass(frozen=True, slots=True)
class Watches:
    """The watches of the controller; all but the first three hold metadata only."""

    extensions: Cache
    sets: Cache
    catalogs: Cache
    accounts: Cache
    secrets: Cache
    definitions: Cache
    services: Cache
    """APIServices."""
    namespaces: Cache
    roles: tuple[Cache, ...]
    """Roles, cluster roles and their bindings."""


class Queue(Protocol):
    """A queue of keys with workers behind it."""

    def enqueue(self, key: str) -> None:
        """Reconcile `key` soon; how often it failed is not forgotten."""
        ...

    def enqueue_after(self, key: str, delay_s: float) -> None:
        """Reconcile `key` in `delay_s` seconds at the latest."""
        ...

    def wake(self, key: str) -> None:
        """Reconcile `key` soon, as if it had never failed: the cause may be gone."""
        ...


@dataclass(frozen=True, slots=True)
class Queues:
    """The two work queues."""

    extensions: Queue
    sets: Queue


@dataclass(frozen=True, slots=True)
class Interests:
    """Who wants to know of what.

    `new_content`: a catalog of which only the content changed. `group`: the extensions for which kinds of an API group
    matter. `rights`: the extensions whose account lacks some. `platform`: CRDs that concern every extension, and what
    to do about one of them.
    """

    new_content: Callable[[str], None]
    group: Callable[[str], Collection[str]]
    rights: Callable[[], Collection[str]]
    platform: Mapping[str, Callable[[], None]]


class Triggers:
    """Turns changes into keys of the two work queues; `clock` gives seconds."""

    def __init__(
        self,
        watches: Watches,
        discovery: Discovery,
        queues: Queues,
        interests: Interests,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watches = watches
        self._discovery = discovery
        self._extensions = queues.extensions
        self._sets = queues.sets
        self._interests = interests
        self._pace = Pace(clock)
        self._by_right = _Coalesced(self._wake_for_rights)
        self._unfinished = _Coalesced(lambda: self._wake_where(_is_unfinished))

    def connect(self) -> None:
        """Add the handlers. Every extension and every set is reconciled once at the start; the rest only wakes them."""
        watches = self._watches
        watches.extensions.add_handler(self._extension_changed, replay=True)
        watches.sets.add_handler(self._set_changed, replay=True)
        watches.catalogs.add_handler(self._catalog_changed, replay=False)
        watches.accounts.add_handler(self._account_changed, replay=False)
        watches.secrets.add_handler(self._secret_changed, replay=False)
        watches.definitions.add_handler(self._definition_changed, replay=False)
        watches.services.add_handler(self._service_changed, replay=False)
        watches.namespaces.add_handler(self._namespace_changed, replay=False)
        for cache in watches.roles:
            cache.add_handler(self._right_changed, replay=False)

    def _extension_changed(self, change: Change) -> None:
        name, old = name_of(change.object), change.old or {}
        if change.type != "MODIFIED" or _wish(change.object) != _wish(old):
            self._extensions.enqueue(name)
        if is_paused(annotations_of(change.object)) != is_paused(annotations_of(old)):
            for item in self._watches.sets.by_index(BY_OWNER, name):
                self._sets.wake(name_of(item))

    def _set_changed(self, change: Change) -> None:
        family = family_of(change.object)
        is_new = change.type != "MODIFIED" or _wish(change.object) != _wish(change.old or {})
        if is_new:
            self._sets.enqueue(name_of(change.object))
        if (extension := extension_of(change.object)) is not None:
            if is_new:
                self._extensions.enqueue(extension)
            elif change.object.get("status") != (change.old or {}).get("status"):
                self._tell(extension)
        if change.type == "DELETED" and family is not None:
            # What the deleted revision held is free again for the others.
            for sibling in self._watches.sets.by_index(BY_OWNER, family[1]):
                self._sets.enqueue(name_of(sibling))

    def _tell(self, extension: str) -> None:
        """Wake the extension now, or when the last time is long enough ago: a rollout changes its status often."""
        self._extensions.enqueue_after(extension, self._pace.delay_s(extension))

    def _catalog_changed(self, change: Change) -> None:
        if change.type == "MODIFIED":
            now, before = _offer(change.object), _offer(change.old or {})
            if now.standing == before.standing:
                if now.content != before.content:
                    self._interests.new_content(name_of(change.object))
                return
        sides = [labels_of(side) for side in (change.object, change.old) if side is not None]
        for ext in self._watches.extensions.items():
            if any(_selects(ext, labels) for labels in sides):
                self._extensions.enqueue(name_of(ext))

    def _account_changed(self, change: Change) -> None:
        if change.type == "MODIFIED":
            return
        metadata = change.object["metadata"]
        place = "/".join((metadata.get("namespace", ""), metadata["name"]))
        for ext in self._watches.extensions.by_index(BY_ACCOUNT, place):
            self._extensions.wake(name_of(ext))
        for item in self._watches.sets.by_index(BY_ACCOUNT, place):
            if _is_unfinished(item):
                self._sets.wake(name_of(item))

    def _secret_changed(self, change: Change) -> None:
        labels = labels_of(change.object)
        revision, owner = labels.get(LABEL_REVISION_NAME), labels.get(LABEL_OWNER_NAME)
        item = self._watches.sets.get(revision) if revision else None
        if item is not None and (change.type != "ADDED" or _is_unfinished(item)):
            self._sets.wake(name_of(item))
        if owner and change.type != "MODIFIED":
            # One that a crash left without its set, or one that its set cannot do without.
            self._extensions.wake(owner)

    def _definition_changed(self, change: Change) -> None:
        name = name_of(change.object)
        concerned = self._interests.group(name.partition(".")[2])
        told = self._interests.platform.get(name)
        is_changed = change.type == "MODIFIED" and _generation(change.object) != _generation(change.old or {})
        # A new kind is found by the miss that it causes; only what is known already can be out of date.
        if change.type == "DELETED" or is_changed:
            self._discovery.invalidate()
        self._tell_of_kinds(concerned, told)
        # Also with the same generation: `Established` is a change of the status.
        self._unfinished.ask()

    def _service_changed(self, change: Change) -> None:
        """An aggregated API came, went, or answers again."""
        if _OF_A_DEFINITION not in labels_of(change.object):
            self._discovery.invalidate()
            self._tell_of_kinds(self._interests.group(name_of(change.object).partition(".")[2]))

    def _tell_of_kinds(self, extensions: Collection[str], told: Callable[[], None] | None = None) -> None:
        """Tell whom a kind concerns, now and once more: the API server serves it a moment after its CRD says so."""
        if extensions or told is not None:
            self._kinds_changed(extensions, told)
            asyncio.get_running_loop().call_later(_SERVED_AFTER_S, self._kinds_changed, extensions, told)

    def _kinds_changed(self, extensions: Collection[str], told: Callable[[], None] | None) -> None:
        self._discovery.invalidate()
        if told is not None:
            told()
        for extension in extensions:
            self._extensions.wake(extension)

    def _namespace_changed(self, change: Change) -> None:
        if change.type == "ADDED":
            self._unfinished.ask()

    def _right_changed(self, _change: Change) -> None:
        self._by_right.ask()

    def _wake_for_rights(self) -> None:
        self._wake_where(_may_lack_a_right)
        for extension in self._interests.rights():
            self._extensions.wake(extension)

    def _wake_where(self, is_concerned: Callable[[Manifest], bool]) -> None:
        for item in self._watches.sets.items():
            if is_concerned(item):
                self._sets.wake(name_of(item))


class _Coalesced:
    """Runs `action` when asked: at once, and once more after `_SCAN_PAUSE_S` for everything that was asked meanwhile.

    Once more in any case: the authorizer of the API server learns of a new right a moment after our watch does.
    """

    def __init__(self, action: Callable[[], None]) -> None:
        self._action = action
        self._is_pausing = False
        self._is_asked = False

    def ask(self) -> None:
        """Run the action now or at the end of the pause."""
        if self._is_pausing:
            self._is_asked = True
            return
        self._is_pausing = True
        asyncio.get_running_loop().call_later(_SCAN_PAUSE_S, self._resume)
        self._action()

    def _resume(self) -> None:
        self._is_pausing = False
        if self._is_asked:
            self._is_asked = False
            self.ask()
        else:
            self._action()


def _wish(obj: Manifest) -> tuple[Any, ...]:
    """What a reconcile acts on: everything but the status, which is our own work."""
    metadata: Mapping[str, Any] = obj.get("metadata") or {}
    names = ("generation", "labels", "annotations", "finalizers", "deletionTimestamp", "ownerReferences")
    return tuple(metadata.get(name) for name in names)


def _generation(obj: Manifest) -> object:
    return (obj.get("metadata") or {}).get("generation")


@dataclass(frozen=True, slots=True)
class _Offer:
    """What the resolver sees of a catalog: how it stands to others, and what is in it."""

    standing: tuple[Any, ...]
    content: tuple[Any, ...]


def _offer(catalog: Manifest) -> _Offer:
    status, spec = catalog.get("status") or {}, catalog.get("spec") or {}
    serving = (condition_of(catalog, "Serving") or {}).get("status")
    deleting = (catalog.get("metadata") or {}).get("deletionTimestamp")
    standing = (spec.get("priority"), spec.get("availabilityMode"), labels_of(catalog), deleting, serving)
    return _Offer(standing, (status.get("resolvedSource"), status.get("urls")))


def concerned_by(catalog: Manifest, extensions: Iterable[Manifest]) -> Mapping[str, Sequence[str]]:
    """Package → names of the extensions that want it and select the catalog."""
    labels, found = labels_of(catalog), defaultdict[str, list[str]](list)
    for ext in extensions:
        if _selects(ext, labels):
            found[str(_wanted(ext).get("packageName"))].append(name_of(ext))
    return found


def _wanted(ext: Manifest) -> Mapping[str, Any]:
    return ((ext.get("spec") or {}).get("source") or {}).get("catalog") or {}


def _selects(ext: Manifest, labels: Mapping[str, str]) -> bool:
    try:
        return Selector.parse(_wanted(ext).get("selector")).matches(labels)
    except ValueError:
        return False


def _is_unfinished(item: Manifest) -> bool:
    return is_deleting(item) or _progress(item).get("reason") not in ("Succeeded", "Archived")


def _may_lack_a_right(item: Manifest) -> bool:
    """Whether another role may help the set; one that waits for its probes is not held up by rights."""
    progress = _progress(item)
    is_refused = progress.get("reason") == "Retrying" or " is forbidden: " in str(progress.get("message"))
    return _is_unfinished(item) and (is_deleting(item) or is_refused)


def _progress(item: Manifest) -> Mapping[str, Any]:
    return condition_of(item, "Progressing") or {}
