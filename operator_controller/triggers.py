"""Which change of the cluster wakes which reconcile. Rule: clusterextension.md 3.1, 11.7 and 15 rows 7, 17, 22.

Called by the wiring once at start: it adds handlers to the watches. A handler only names keys; reconciles decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import LABEL_OWNER_KIND, LABEL_OWNER_NAME, LABEL_REVISION_NAME
from olmv1.conditions import condition_of
from olmv1.kube.caches import Cache, Change
from olmv1.kube.discovery import Discovery
from olmv1.manifests import Manifest, labels_of, name_of
from olmv1.selectors import Selector
from operator_controller.revisions.view import account_of
from operator_controller.rollout.revisions import BY_OWNER

__all__ = ["BY_ACCOUNT", "Triggers", "Watches", "account_keys"]

BY_ACCOUNT = "account"
"""Index of the watch of extensions: `<namespace>/<service account>`."""

Enqueue = Callable[[str], None]


def account_keys(ext: Manifest) -> tuple[str, ...]:
    """The index function of `BY_ACCOUNT`."""
    spec = ext.get("spec") or {}
    name = (spec.get("serviceAccount") or {}).get("name")
    return (f"{spec.get('namespace')}/{name}",) if name else ()


@dataclass(frozen=True, slots=True)
class Watches:
    """The watches of the controller; all but the first three hold metadata only."""

    extensions: Cache
    sets: Cache
    catalogs: Cache
    accounts: Cache
    secrets: Cache
    definitions: Cache
    namespaces: Cache
    roles: tuple[Cache, ...]
    """Roles, cluster roles and their bindings."""


class Triggers:
    """Turns changes into keys of the two work queues."""

    def __init__(self, watches: Watches, discovery: Discovery, extension: Enqueue, object_set: Enqueue) -> None:
        self._watches = watches
        self._discovery = discovery
        self._extension = extension
        self._object_set = object_set

    def connect(self) -> None:
        """Add the handlers."""
        watches = self._watches
        watches.extensions.add_handler(self._extension_changed)
        watches.sets.add_handler(self._set_changed)
        watches.catalogs.add_handler(self._catalog_changed)
        watches.accounts.add_handler(self._account_changed)
        watches.secrets.add_handler(self._secret_changed)
        watches.definitions.add_handler(self._definition_changed)
        watches.namespaces.add_handler(self._namespace_changed)
        for cache in watches.roles:
            cache.add_handler(self._right_changed)

    def _extension_changed(self, change: Change) -> None:
        if change.type != "MODIFIED" or _wish(change.object) != _wish(change.old or {}):
            self._extension(name_of(change.object))

    def _set_changed(self, change: Change) -> None:
        labels = labels_of(change.object)
        owner = labels.get(LABEL_OWNER_NAME)
        if owner and labels.get(LABEL_OWNER_KIND) == "ClusterExtension":
            self._extension(owner)
        if change.type != "MODIFIED" or _wish(change.object) != _wish(change.old or {}):
            self._object_set(name_of(change.object))
        if change.type == "DELETED" and owner:
            # What the deleted revision held is free again for the others.
            for sibling in self._watches.sets.by_index(BY_OWNER, owner):
                self._object_set(name_of(sibling))

    def _catalog_changed(self, change: Change) -> None:
        if change.type == "MODIFIED" and _offer(change.object) == _offer(change.old or {}):
            return
        sides = [labels_of(side) for side in (change.object, change.old) if side is not None]
        for ext in self._watches.extensions.items():
            if any(_selects(ext, labels) for labels in sides):
                self._extension(name_of(ext))

    def _account_changed(self, change: Change) -> None:
        if change.type == "MODIFIED":
            return
        metadata = change.object["metadata"]
        place = (metadata.get("namespace", ""), metadata["name"])
        for ext in self._watches.extensions.by_index(BY_ACCOUNT, "/".join(place)):
            self._extension(name_of(ext))
        for item in self._watches.sets.items():
            if account_of(item) == place and _is_retrying(item):
                self._object_set(name_of(item))

    def _secret_changed(self, change: Change) -> None:
        revision = labels_of(change.object).get(LABEL_REVISION_NAME)
        owner = labels_of(change.object).get(LABEL_OWNER_NAME)
        if revision and change.type != "ADDED":
            self._object_set(revision)
        if owner and change.type == "ADDED":
            self._extension(owner)

    def _definition_changed(self, change: Change) -> None:
        if change.type == "MODIFIED" and _generation(change.object) == _generation(change.old or {}):
            return
        self._discovery.invalidate()
        self._wake_retrying()

    def _namespace_changed(self, change: Change) -> None:
        if change.type == "ADDED":
            self._wake_retrying()

    def _right_changed(self, _change: Change) -> None:
        self._wake_retrying()

    def _wake_retrying(self) -> None:
        for item in self._watches.sets.items():
            if _is_retrying(item):
                self._object_set(name_of(item))


def _wish(obj: Manifest) -> tuple[Any, ...]:
    """What a reconcile acts on: everything but the status, which is our own work."""
    metadata: Mapping[str, Any] = obj.get("metadata") or {}
    names = ("generation", "labels", "annotations", "finalizers", "deletionTimestamp", "ownerReferences")
    return tuple(metadata.get(name) for name in names)


def _generation(obj: Manifest) -> object:
    return (obj.get("metadata") or {}).get("generation")


def _offer(catalog: Manifest) -> tuple[Any, ...]:
    """What the resolver sees of a catalog."""
    status, spec = catalog.get("status") or {}, catalog.get("spec") or {}
    serving = (condition_of(catalog, "Serving") or {}).get("status")
    deleting = (catalog.get("metadata") or {}).get("deletionTimestamp")
    wanted = (spec.get("priority"), spec.get("availabilityMode"), labels_of(catalog), deleting)
    return (*wanted, status.get("resolvedSource"), status.get("urls"), serving)


def _selects(ext: Manifest, labels: Mapping[str, str]) -> bool:
    selector = (((ext.get("spec") or {}).get("source") or {}).get("catalog") or {}).get("selector")
    try:
        return Selector.parse(selector).matches(labels)
    except ValueError:
        return False


def _is_retrying(item: Manifest) -> bool:
    return (condition_of(item, "Progressing") or {}).get("reason") not in ("Succeeded", "Archived")
