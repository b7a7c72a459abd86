"""One package of one catalog, prepared so that a resolution only looks things up.

The caller builds an index once per catalog digest and keeps it. Immutable; nothing of the request is in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from olmv1.fbc import Bundle, Package
from olmv1.versions import VersionRelease
from operator_controller.resolver.channel_graph import ChannelGraph, graph_of
from operator_controller.resolver.deprecations import PackageDeprecations, deprecations_of
from operator_controller.resolver.environment import Environments

__all__ = ["Candidate", "PackageIndex", "index_package"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bundle with what every resolution wants to know of it.

    `version` is `None` when it cannot be read; `version_error` then says why. `channels` hold the bundle; in those of
    `skipped_in` an entry skips it. `name` is the bundle's: a field, because every filter asks every candidate for it.
    """

    name: str
    bundle: Bundle
    version: VersionRelease | None
    version_error: str
    channels: frozenset[str]
    skipped_in: frozenset[str]
    is_deprecated: bool


@dataclass(frozen=True, slots=True, eq=False)
class PackageIndex:
    """`candidates` come highest version first, then highest release, then by name; unreadable versions are last."""

    name: str
    default_channel: str
    candidates: tuple[Candidate, ...]
    by_name: Mapping[str, Candidate]
    graph: ChannelGraph
    deprecations: PackageDeprecations
    environments: Environments = field(default_factory=Environments)


def index_package(package: Package) -> PackageIndex:
    """The index of a package; equal packages, whatever the order of their parts, give the same answers."""
    graph = graph_of(package.channels)
    deprecations = deprecations_of(package.name, package.deprecations, graph.members)
    by_name = sorted(package.bundles, key=lambda bundle: (bundle.name, bundle.image))
    found = [_candidate(bundle, graph, deprecations) for bundle in by_name]
    # A stable sort in reverse keeps names ascending among equal versions.
    candidates = tuple(sorted(found, key=_precedence, reverse=True))
    return PackageIndex(
        name=package.name,
        default_channel=package.default_channel,
        candidates=candidates,
        by_name={each.name: each for each in reversed(candidates)},
        graph=graph,
        deprecations=deprecations,
    )


def _candidate(bundle: Bundle, graph: ChannelGraph, deprecations: PackageDeprecations) -> Candidate:
    version, error = None, ""
    try:
        version = _read_version(bundle)
    except ValueError as unreadable:
        error = str(unreadable)
    return Candidate(
        name=bundle.name,
        bundle=bundle,
        version=version,
        version_error=error,
        channels=graph.members.get(bundle.name, frozenset()),
        skipped_in=graph.skipped.get(bundle.name, frozenset()),
        is_deprecated=bundle.name in deprecations.bundles,
    )


def _read_version(bundle: Bundle) -> VersionRelease:
    text = bundle.version_text
    if text is None:
        raise ValueError("no olm.package property with a version")
    return VersionRelease.parse(text, bundle.release_text)


def _precedence(candidate: Candidate) -> tuple[object, ...]:
    return candidate.version.key if candidate.version else ()
