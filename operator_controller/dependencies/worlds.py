"""States of the cluster: as it is, with candidates applied, without an extension. Rule: dependencies.md 7.1 and 8."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.constraints import Api, Facts, Provider, apis_of
from operator_controller.dependencies.facts import Candidate, ClusterFacts

__all__ = ["world_of_candidate", "world_now", "world_with", "world_without"]


def world_now(cluster: ClusterFacts) -> Facts:
    """As it is: every installed bundle, and everything that is served."""
    return Facts(cluster.extensions.provided, cluster.served)


def world_with(cluster: ClusterFacts, candidates: Sequence[Candidate]) -> Facts:
    """With `candidates` in place of what their extensions have installed."""
    return _replaced(cluster, candidates, [_provider(each, each.extension) for each in candidates])


def world_of_candidate(cluster: ClusterFacts, candidate: Candidate) -> Facts:
    """As `world_with` of one candidate, which messages call the bundle itself."""
    return _replaced(cluster, [candidate], [_provider(candidate, "")])


def world_without(cluster: ClusterFacts, extension: str) -> Facts:
    """With nothing of `extension` left, its APIs included."""
    gone = cluster.extensions.by_name.get(extension)
    removed = apis_of(gone.properties or ()) if gone is not None else frozenset[Api]()
    return Facts(cluster.extensions.provided, cluster.served, removed, without=frozenset({extension}))


def _replaced(cluster: ClusterFacts, candidates: Sequence[Candidate], added: Sequence[Provider]) -> Facts:
    names = frozenset(each.extension for each in candidates)
    removed = frozenset[Api]().union(*(_removed(cluster, each) for each in candidates))
    if len(candidates) == 1 and cluster.removed is not None:
        removed = cluster.removed
    return Facts(cluster.extensions.provided, cluster.served, removed, without=names, added=added)


def _removed(cluster: ClusterFacts, candidate: Candidate) -> frozenset[Api]:
    """The APIs that go away with what the candidate replaces, unless somebody else provides them.

    Once a rollout is rendered it is known exactly. Before, the bundles' own words are compared; a candidate that names
    no API at all says nothing about them, because its catalog may have left them out.
    """
    own, offered = cluster.own(candidate), apis_of(candidate.properties)
    if own is None or not offered:
        return frozenset()
    return apis_of(own.properties or ()) - offered


def _provider(candidate: Candidate, extension: str) -> Provider:
    return Provider(extension, candidate.bundle, candidate.package, candidate.version, candidate.properties)
