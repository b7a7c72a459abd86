"""Gathers the facts for dependency checks: what every extension has installed, who owns a CRD, what catalogs offer.

Called by the reconciler of extensions. What an extension has installed is read once per change and kept; whoever waits
for others is woken when it becomes something else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.names import ANNOTATION_BUNDLE_PROPERTIES
from olmv1.constraints import requirements_of
from olmv1.errors import OlmError
from olmv1.kube.caches import Cache, Change
from olmv1.manifests import Manifest, annotations_of, is_deleting, name_of
from olmv1.rules import IsolatedRules
from olmv1.selectors import Selector
from olmv1.served import Served
from operator_controller.catalogs import Catalogs
from operator_controller.dependencies import (
    Break,
    Candidate,
    ClusterFacts,
    DependencyVerdict,
    InstalledExtension,
    Inventory,
    Mode,
    Shelf,
    Shelves,
    broken_by_removal,
    check,
    crd_names,
    manager_of,
    read_properties,
    removed_by,
)
from operator_controller.resolver import CatalogContent, PackageIndex
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.revisions.view import extension_of, installed, view_of
from operator_controller.rollout.revisions import Revisions
from operator_controller.target import adoption_of, request_of

__all__ = ["DependencyChecks", "DependencyPorts"]

_CHECKED_AT_ONCE = 4
_SEARCHED_PACKAGES = 10
"""Packages that catalogs are asked about for one piece of advice."""


@dataclass(frozen=True, slots=True)
class DependencyPorts:
    """Watches of extensions, of sets, and of the metadata of CRDs; `wake` is for extensions."""

    extensions: Cache
    sets: Cache
    definitions: Cache
    revisions: Revisions
    catalogs: Catalogs
    waiting: Callable[[], Collection[str]]
    wake: Callable[[str], None]


class DependencyChecks:
    """Asks the check about rollouts."""

    def __init__(self, ports: DependencyPorts) -> None:
        self._ports = ports
        self._known: dict[str, InstalledExtension] = {}
        self._inventory: Inventory | None = None
        self._rules = IsolatedRules()
        # Rules of strangers may take minutes: the threads that everything else needs must not wait for them.
        self._threads = ThreadPoolExecutor(_CHECKED_AT_ONCE, thread_name_prefix="dependencies")
        self._held: dict[str, Candidate] = {}
        ports.extensions.add_handler(lambda change: self._changed(name_of(change.object)), replay=False)
        ports.sets.add_handler(self._set_changed, replay=False)

    async def check(
        self, candidate: Candidate, mode: Mode, served: Served, objects: Sequence[Manifest] = ()
    ) -> DependencyVerdict:
        """The verdict on a candidate; `objects` are those that it was rendered to, once it is."""
        extensions = self._extensions()
        own = extensions.by_name.get(candidate.extension)
        cluster = ClusterFacts(
            extensions=extensions,
            served=served,
            removed=removed_by(objects, candidate, own, served) if objects else None,
            rules=self._rules,
            held=tuple(each for name, each in self._held.items() if name != candidate.extension),
            crd_owners=self._owners(candidate.extension, crd_names(objects)),
        )
        verdict = await self._checked(candidate, mode, cluster)
        if verdict.wanted_packages:
            shelves = await self._shelves(sorted(verdict.wanted_packages)[:_SEARCHED_PACKAGES])
            verdict = await self._checked(candidate, mode, replace(cluster, shelves=shelves))
        if verdict.is_held_for_requirements:
            self._hold(candidate)
        elif candidate.is_installed or verdict.failure is not None or objects:
            self.release(candidate.extension)  # else it is not over: what only the image says may hold it as before
        return verdict

    async def losses(self, extension: str, served: Served) -> tuple[Break, ...]:
        """What breaks when `extension`, which is being deleted, is gone."""
        leaving = self._read(extension, is_leaving_counted=True)
        others = [each for each in self._extensions() if each.name != extension]
        if leaving is None:
            return ()
        cluster = ClusterFacts(extensions=Inventory([*others, leaving]), served=served, rules=self._rules)
        return await asyncio.get_running_loop().run_in_executor(self._threads, broken_by_removal, extension, cluster)

    def release(self, extension: str) -> None:
        """The extension has nothing that is held any more."""
        if self._held.pop(extension, None) is not None:
            self._wake_others(extension)

    def _hold(self, candidate: Candidate) -> None:
        if self._held.get(candidate.extension) != candidate:
            self._held[candidate.extension] = candidate
            self._wake_others(candidate.extension)

    def _extensions(self) -> Inventory:
        if self._inventory is None:
            names = {name_of(item) for item in self._ports.extensions.items()}
            for name in self._known.keys() - names:
                del self._known[name]
            self._inventory = Inventory(found for name in sorted(names) if (found := self._extension(name)) is not None)
        return self._inventory

    def _extension(self, name: str) -> InstalledExtension | None:
        if name not in self._known:
            found = self._read(name)
            if found is None:
                return None
            self._known[name] = found
        return self._known[name]

    def _read(self, name: str, *, is_leaving_counted: bool = False) -> InstalledExtension | None:
        manifest = self._ports.extensions.get(name)
        if manifest is None:
            return None
        revision = installed(view_of(item) for item in self._ports.revisions.of(name))
        try:
            ext = ClusterExtension.parse(manifest)
        except OlmError:
            return None  # its own reconcile says so
        package, created = ext.spec.source.catalog.package_name, manifest["metadata"].get("creationTimestamp") or ""
        if revision is None or (is_deleting(manifest) and not is_leaving_counted):
            return InstalledExtension(name, package, created=created)
        return InstalledExtension(
            name,
            package,
            bundle=revision.bundle.name,
            version=revision.bundle.version,
            properties=read_properties(revision.annotations.get(ANNOTATION_BUNDLE_PROPERTIES)),
            created=created,
            request=request_of(ext, revision),
        )

    def _owners(self, extension: str, definitions: Iterable[str]) -> dict[str, str | None]:
        """The CRDs that exist, with the extension that manages each; without those that are free for the taking."""
        manifest = self._ports.extensions.get(extension) or {}
        is_adopting = adoption_of(annotations_of(manifest)) != CollisionProtection.PREVENT
        found = {name: live for name in definitions if (live := self._ports.definitions.get(name)) is not None}
        owners = {name: manager_of(live) for name, live in found.items()}
        return {name: owner for name, owner in owners.items() if owner is not None or not is_adopting}

    async def _checked(self, candidate: Candidate, mode: Mode, cluster: ClusterFacts) -> DependencyVerdict:
        """The check; in a thread when there are requirements, as rules may be among them."""
        if cluster.extensions.requiring or requirements_of(candidate.properties):
            return await asyncio.get_running_loop().run_in_executor(self._threads, check, candidate, mode, cluster)
        return check(candidate, mode, cluster)

    async def _shelves(self, packages: Collection[str]) -> Shelves:
        found: dict[str, tuple[int, dict[str, PackageIndex]]] = {}
        searched = set(packages)
        for package in packages:
            for content in (await self._ports.catalogs.read(Selector(), package)).catalogs:
                if not isinstance(content, CatalogContent):
                    searched.discard(package)
                elif content.package is not None:
                    found.setdefault(content.name, (content.priority, {}))[1][package] = content.package
        shelves = tuple(Shelf(name, priority, kept) for name, (priority, kept) in sorted(found.items()))
        return Shelves(shelves, searched=frozenset(searched))

    def _set_changed(self, change: Change) -> None:
        if (extension := extension_of(change.object)) is not None:
            self._changed(extension)

    def _changed(self, extension: str) -> None:
        before = self._known.pop(extension, None)
        if self._extension(extension) == before:
            return  # a status was written: what is read out of everybody's properties stays
        self._inventory = None
        self._wake_others(extension)

    def _wake_others(self, extension: str) -> None:
        for name in self._ports.waiting():
            if name != extension:
                self._ports.wake(name)
