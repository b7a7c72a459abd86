"""From a package and its index to the graph that is drawn."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from olm_cli.graph.model import ChannelView, GraphEdge, GraphNode, PackageGraph
from olmv1.fbc import Channel, Package
from olmv1.versions import VersionRelease
from operator_controller.explanation.classic import Chain, chains_of
from operator_controller.resolver import (
    CatalogContent,
    Chosen,
    Edge,
    EdgeKind,
    InstalledBundle,
    PackageIndex,
    Request,
    resolve,
)

__all__ = ["Subject", "graph_of"]

_VERSION_IN_NAME = re.compile(r"\.v?([0-9]+\.[0-9]+\.[0-9]+.*)")


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """What a graph is made of. No `channels`: all; `installed`: where upgrades start, if anything is installed."""

    catalog: str
    package: Package
    index: PackageIndex
    channels: frozenset[str] = frozenset()
    installed: InstalledBundle | None = None


def graph_of(subject: Subject) -> PackageGraph:
    """The graph; equal packages in any order give the same one."""
    shown = [each for each in subject.package.channels if not subject.channels or each.name in subject.channels]
    channels = frozenset(channel.name for channel in shown)
    chains = chains_of(subject.index)
    views = tuple(_channel_view(chains[name], subject) for name in sorted(channels))
    versions = {name: _version(name, subject) for name in _names(shown, subject)}
    order = sorted(sorted(versions), key=lambda name: _precedence(versions[name]), reverse=True)
    edges = tuple(_edges({name: versions[name] for name in order}, subject, views))
    marked = _Marks(subject, edges)
    return PackageGraph(
        package=subject.package.name,
        catalog=subject.catalog,
        channels=views,
        nodes=tuple(marked.on(_node(name, versions[name], channels, subject.index)) for name in order),
        edges=edges,
        deprecations=subject.index.deprecations.package,
        installed=subject.installed.name if subject.installed else "",
        notes=tuple(
            f"bundle {bad.entry} in {bad.channel}: skipRange ignored: {bad.message}"
            for bad in subject.index.graph.invalid
            if bad.channel in channels
        ),
    )


def _channel_view(chain: Chain, subject: Subject) -> ChannelView:
    return ChannelView(
        name=chain.channel,
        is_default=chain.channel == subject.package.default_channel,
        deprecations=subject.index.deprecations.channels.get(chain.channel, ()),
        chain=chain.links,
        problem=chain.error,
    )


def _names(shown: Iterable[Channel], subject: Subject) -> frozenset[str]:
    """Every bundle that is shown: entries, what their edges name, and what is installed."""
    entries = [entry for channel in shown for entry in channel.entries]
    names = {name for entry in entries for name in (entry.name, entry.replaces, *entry.skips)}
    if not subject.channels:
        names.update(subject.index.by_name)
    if subject.installed is not None:
        names.add(subject.installed.name)
    return frozenset(names - {""})


def _version(name: str, subject: Subject) -> VersionRelease | None:
    """The version of a bundle; where the catalog does not have it, as recorded, else as its name has it."""
    if name in subject.index.by_name:
        return subject.index.by_name[name].version
    installed = subject.installed
    found = _VERSION_IN_NAME.search(name)
    try:
        if installed is not None and name == installed.name:
            return VersionRelease.parse(installed.version, installed.release)
        return VersionRelease.parse(found[1], None) if found else None
    except ValueError:
        return None


def _precedence(version: VersionRelease | None) -> tuple[object, ...]:
    return version.key if version else ()


def _node(name: str, version: VersionRelease | None, channels: frozenset[str], index: PackageIndex) -> GraphNode:
    members = index.graph.members.get(name, frozenset())
    return GraphNode(
        name=name,
        version=str(version) if version else "",
        channels=tuple(sorted(members & channels)),
        skipped_in=tuple(sorted(index.graph.skipped.get(name, frozenset()) & channels)),
        deprecations=index.deprecations.bundles.get(name, ()),
        is_missing=name not in index.by_name,
        is_elsewhere=bool(members) and not members & channels,
    )


def _edges(
    versions: Mapping[str, VersionRelease | None], subject: Subject, views: Sequence[ChannelView]
) -> Iterator[GraphEdge]:
    """The edges between the bundles that are shown, ordered by where they start and then by where they lead."""
    place = {name: number for number, name in enumerate(versions)}
    seen = _Classic(views)
    for source, version in versions.items():
        # A skipRange holds versions, and only what is installed may be a bundle that the catalog does not have.
        is_known = source in subject.index.by_name or (subject.installed and source == subject.installed.name)
        own = version.version if version and is_known else None
        found = subject.index.graph.edges_from(source, own, frozenset(view.name for view in views))
        for target in sorted(found.keys() - {source}, key=place.__getitem__):
            for (kind, text), edges in _by_kind(found[target]).items():
                channels = tuple(sorted({edge.channel for edge in edges}))
                yield GraphEdge(source, target, kind, text, channels, seen.ignores(target, kind, channels))


def _by_kind(edges: Iterable[Edge]) -> Mapping[tuple[EdgeKind, str], Sequence[Edge]]:
    found: dict[tuple[EdgeKind, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        found[edge.kind, "" if edge.is_named else edge.text].append(edge)
    return found


class _Classic:
    """Which edges OLM Classic sees: those to bundles on the chain, and a skipRange of the head only."""

    def __init__(self, views: Sequence[ChannelView]) -> None:
        self._chains = {view.name: frozenset(view.chain) for view in views}
        self._heads = {view.name: view.head for view in views}

    def ignores(self, target: str, kind: EdgeKind, channels: Iterable[str]) -> tuple[str, ...]:
        """Those of the channels in which it does not see an edge of that kind to `target`."""
        if kind is EdgeKind.SKIP_RANGE:
            return tuple(channel for channel in channels if self._heads[channel] != target)
        return tuple(channel for channel in channels if target not in self._chains[channel])


class _Marks:
    """What the installed bundle makes of the others."""

    def __init__(self, subject: Subject, edges: Iterable[GraphEdge]) -> None:
        self._installed = subject.installed.name if subject.installed else ""
        self._next = _next(subject)
        self._reachable = _reachable(self._installed, edges, subject.index)

    def on(self, node: GraphNode) -> GraphNode:
        """The node with its marks."""
        return replace(
            node,
            is_installed=node.name == self._installed,
            is_next=node.name == self._next,
            is_reachable=node.name in self._reachable,
        )


def _next(subject: Subject) -> str:
    """The bundle that would be chosen now with no range; empty for none, or when nothing better is there."""
    if subject.installed is None:
        return ""
    request = Request(subject.package.name, None, tuple(sorted(subject.channels)), installed=subject.installed)
    found = resolve(request, [CatalogContent(subject.catalog, 0, subject.index)])
    return found.bundle.name if isinstance(found, Chosen) and not found.is_installed else ""


def _reachable(start: str, edges: Iterable[GraphEdge], index: PackageIndex) -> frozenset[str]:
    """Where upgrades lead from `start`, over bundles that can be installed."""
    following: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        following[edge.source].append(edge.target)
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in following[waiting.pop()]:
            found = index.by_name.get(name)
            if name not in seen and name != start and found is not None and found.version is not None:
                seen.add(name)
                waiting.append(name)
    return frozenset(seen)
