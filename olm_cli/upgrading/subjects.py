"""From objects and catalogs to what is judged: one subject for each ClusterExtension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from olm_cli.catalogs import Catalog, read_package
from olm_cli.findings import contents_of, warn_about
from olm_cli.upgrading.snapshot import SYSTEM_NAMESPACE, Snapshot
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import OlmError
from olmv1.manifests import Manifest, ObjectKey, labels_of, name_of
from olmv1.selectors import Selector
from operator_controller.resolver import CatalogContent, CatalogProblem, InstalledBundle, Request
from operator_controller.revisions.plan import plan_of
from operator_controller.revisions.view import RevisionView, active, extension_of, installed, view_of
from operator_controller.target import request_of, selector_of
from operator_controller.target.cluster_upgrade import bundle_facts
from operator_controller.upgrade_plan import Objects, Subject

__all__ = ["subjects_of"]

Contents = tuple[CatalogContent | CatalogProblem, ...]


@dataclass(frozen=True, slots=True)
class _Shelves:
    """The catalogs; each package is read once, and catalogs that cannot be read are named once.

    `labels` by name, empty when the user named the catalogs: then every extension sees all of them.
    """

    places: Sequence[Catalog]
    labels: Mapping[str, Mapping[str, str]]
    packages: dict[str, Contents] = field(default_factory=dict)

    async def seen_by(self, ext: ClusterExtension, package: str) -> Contents:
        if package not in self.packages:
            answers = await read_package(self.places, package)
            if not self.packages:
                warn_about(answers)
            self.packages[package] = contents_of(answers)
        selector = selector_of(ext) if self.labels else Selector()
        found = (each for each in self.packages[package] if selector.matches(self.labels.get(each.name, {})))
        return tuple(sorted(found, key=lambda each: (-each.priority, each.name)))


async def subjects_of(
    snapshot: Snapshot, places: Sequence[Catalog], *, are_of_cluster: bool, has_objects: bool
) -> tuple[Subject, ...]:
    """What is to be judged; `are_of_cluster`: extensions see the catalogs that they select.

    Objects are looked at only with `has_objects`, when the goal asks for them.
    """
    labels = {name_of(each): labels_of(each) for each in snapshot.catalogs} if are_of_cluster else {}
    shelves = _Shelves(places, labels)
    sets: dict[str, list[Manifest]] = defaultdict(list)
    for each in snapshot.object_sets:
        sets[extension_of(each) or ""].append(each)
    found = []
    for ext in snapshot.extensions:
        own = sets[name_of(ext)]
        objects = _objects(own, snapshot) if has_objects else Objects()
        found.append(await _subject(ext, own, objects, (shelves, snapshot.kube_version)))
    return tuple(found)


async def _subject(
    manifest: Manifest, object_sets: Sequence[Manifest], objects: Objects, around: tuple[_Shelves, str]
) -> Subject:
    shelves, kube_version = around
    views = [view_of(each) for each in object_sets]
    facts = bundle_facts(views)
    install = (manifest.get("status") or {}).get("install") or {}
    bundle: Mapping[str, str] = install.get("bundle") or {}
    name, package = name_of(manifest), facts[0].package if facts else ""
    try:
        ext = ClusterExtension.parse(manifest)
        package = ext.spec.source.catalog.package_name
        request = _request(ext, views, kube_version)
        contents = await shelves.seen_by(ext, package)
    except OlmError as error:
        return Subject(name, package, bundle.get("name", ""), facts, None, objects=objects, problem=str(error))
    return Subject(name, package, bundle.get("name", ""), facts, request, contents, objects)


def _request(ext: ClusterExtension, views: Sequence[RevisionView], kube_version: str) -> Request:
    """What is asked for once the present rollout is through."""
    counted = installed(views) or next(reversed(active(views)), None)
    found = request_of(ext, counted, kube_version)
    install = ext.status.install
    if counted is not None or install is None:
        return found
    bundle = install.bundle
    recorded = InstalledBundle(bundle.name, bundle.version, bundle.release, catalog=install.catalog)
    return replace(found, installed=recorded)


def _objects(object_sets: Sequence[Manifest], snapshot: Snapshot) -> Objects:
    """What the revisions consist of that count."""
    views = [view_of(each) for each in object_sets]
    base = installed(views)
    counted = {each.name for each in active(views) if base is None or each.number >= base.number}
    keys: dict[ObjectKey, None] = {}
    for each in object_sets:
        if name_of(each) not in counted:
            continue
        try:
            keys.update((planned.key, None) for planned in plan_of(each, snapshot.secrets, SYSTEM_NAMESPACE).objects)
        except OlmError as error:
            return Objects(problem=str(error))
    return Objects(tuple(keys))
