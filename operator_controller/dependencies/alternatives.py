"""What a person can do about an unmet leaf: up to three ways out, best first. Rule: dependencies.md 9."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from olmv1.constraints import ApiRequired, Leaf, PackageRequired, RuleRequired, evaluate, requirements_of
from operator_controller.dependencies.facts import Candidate, ClusterFacts, InstalledExtension
from operator_controller.dependencies.leaves import unmet_leaves
from operator_controller.dependencies.offers import Entry, in_channels, ordered_shelves, satisfying
from operator_controller.dependencies.properties import properties_of_blob
from operator_controller.dependencies.worlds import world_with
from operator_controller.resolver import CatalogContent, Chosen, PackageIndex, Request, resolve

__all__ = ["Alternative", "Need", "alternatives_to", "is_advised"]

_SHOWN: Final = 3
_MAX_LEVELS: Final = 3
_MAX_TRIED: Final = 20
"""Bundles that an installed extension is tried with, the highest versions first."""


@dataclass(frozen=True, slots=True)
class Need:
    """An unmet requirement of an alternative, and what would satisfy that in turn."""

    leaf: Leaf
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One bundle that would satisfy the leaf.

    `extension`: the installed extension to move there, empty for a new install. `needs_version`: its spec must be
    changed to this version first, empty when it goes there by itself. `needs`: what this bundle itself lacks.
    """

    catalog: str
    package: str
    channel: str
    version: str
    bundle: str
    extension: str = ""
    needs_version: str = ""
    is_deprecated: bool = False
    needs: tuple[Need, ...] = ()


def is_advised(leaf: Leaf) -> bool:
    """Whether catalogs can be searched for the leaf at all."""
    return isinstance(leaf, PackageRequired | ApiRequired | RuleRequired)


def alternatives_to(leaf: Leaf, candidate: Candidate, cluster: ClusterFacts) -> tuple[Alternative, ...]:
    """Up to three bundles that satisfy the leaf: installed extensions that can be moved, then new installs.

    Within each, what has unmet requirements of its own comes after what has none.
    """
    return _search(leaf, candidate, cluster, frozenset({candidate.package})) if is_advised(leaf) else ()


def _search(leaf: Leaf, candidate: Candidate, cluster: ClusterFacts, seen: frozenset[str]) -> tuple[Alternative, ...]:
    moves = sorted(_moves(leaf, candidate, cluster), key=lambda each: bool(each.needs_version))
    fresh = [_with_needs(each, entry, candidate, cluster, seen) for each, entry in _installs(leaf, candidate, cluster)]
    fresh.sort(key=lambda each: bool(each.needs))
    return tuple((*moves, *fresh)[:_SHOWN])


def _moves(leaf: Leaf, candidate: Candidate, cluster: ClusterFacts) -> Iterator[Alternative]:
    """Installed extensions that the resolver lets reach a bundle that satisfies the leaf."""
    for extension in sorted(cluster.extensions, key=lambda each: each.name):
        if not extension.bundle or extension.request is None or extension.name == candidate.extension:
            continue
        contents = [
            CatalogContent(shelf.catalog, shelf.priority, shelf.packages.get(extension.package))
            for shelf in cluster.shelves.shelves
        ]
        found = _reachable(leaf, extension, extension.request, contents, cluster)
        if found is not None:
            yield found


def _reachable(
    leaf: Leaf,
    extension: InstalledExtension,
    request: Request,
    contents: list[CatalogContent],
    cluster: ClusterFacts,
) -> Alternative | None:
    indexes = [each.package for each in contents if each.package is not None]
    fitting = {each.name: each for index in indexes for each in satisfying(leaf, index, cluster.rules)}
    if not fitting:
        return None
    now = resolve(request, contents)
    if isinstance(now, Chosen) and now.bundle.name in fitting and not now.is_installed:
        return _move(extension, now, fitting[now.bundle.name], "")
    for entry in list(fitting.values())[:_MAX_TRIED]:
        version = str(entry.version.version) if entry.version else ""
        there = resolve(replace(request, range_text=version), contents)
        if isinstance(there, Chosen) and there.bundle.name == entry.name and not there.is_installed:
            return _move(extension, there, entry, version)
    return None


def _move(extension: InstalledExtension, chosen: Chosen, entry: Entry, needs_version: str) -> Alternative:
    return Alternative(
        catalog=chosen.catalog,
        package=extension.package,
        channel=min(entry.channels, default=""),
        version=str(chosen.version),
        bundle=chosen.bundle.name,
        extension=extension.name,
        needs_version=needs_version,
        is_deprecated=entry.is_deprecated,
    )


def _installs(leaf: Leaf, candidate: Candidate, cluster: ClusterFacts) -> Iterator[tuple[Alternative, Entry]]:
    """New installs in the order of catalogs, packages and channels; what is installed already is none."""
    present = {each.package for each in cluster.extensions if each.bundle} | {candidate.package}
    for shelf in ordered_shelves(cluster.shelves, candidate.catalog):
        for name, package in sorted(shelf.packages.items()):
            if name not in present:
                for channel, entry in in_channels(package, satisfying(leaf, package, cluster.rules)):
                    yield _install(shelf.catalog, package, channel, entry), entry


def _install(catalog: str, package: PackageIndex, channel: str, entry: Entry) -> Alternative:
    return Alternative(
        catalog=catalog,
        package=package.name,
        channel=channel,
        version=str(entry.version),
        bundle=entry.name,
        is_deprecated=entry.is_deprecated,
    )


def _with_needs(
    alternative: Alternative, entry: Entry, candidate: Candidate, cluster: ClusterFacts, seen: frozenset[str]
) -> Alternative:
    """The alternative with what it lacks itself; packages that are being asked about are not asked about again."""
    requirements = requirements_of(properties_of_blob(entry.bundle))
    if not requirements or alternative.package in seen:
        return alternative
    itself = Candidate(
        extension=f"\0{alternative.package}",  # no extension has this name
        package=alternative.package,
        bundle=alternative.bundle,
        version=alternative.version,
        properties=properties_of_blob(entry.bundle),
        catalog=alternative.catalog,
    )
    world = world_with(cluster, [candidate, itself])
    unmet = evaluate(requirements, world, cluster.rules).unmet
    leaves = [leaf for each in unmet if each.finding for leaf in unmet_leaves(each.finding)]
    deeper = seen | {alternative.package}
    needs = tuple(
        Need(leaf, _search(leaf, itself, cluster, deeper) if len(deeper) <= _MAX_LEVELS else ()) for leaf in leaves
    )
    return replace(alternative, needs=needs)
