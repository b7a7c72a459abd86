"""What no switch allows: two owners of one object. Rule: dependencies.md 7.4, decision 17."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.constraints import api_text, apis_of
from olmv1.versions import quoted
from operator_controller.dependencies.facts import Candidate, ClusterFacts, InstalledExtension

__all__ = ["foreign_crds", "second_of_package"]


def foreign_crds(candidate: Candidate, cluster: ClusterFacts) -> Iterator[str]:
    """A sentence for each CRD of the candidate that exists and is not its extension's, by name."""
    for name, owner in sorted(cluster.crd_owners.items()):
        if owner is None:
            yield f"CustomResourceDefinition {quoted(name)} is not managed by OLM"
        elif owner != candidate.extension:
            yield f"CustomResourceDefinition {quoted(name)} is managed by ClusterExtension {quoted(owner)}"


def second_of_package(candidate: Candidate, cluster: ClusterFacts) -> tuple[bool, str]:
    """Whether an older extension of the package makes this one impossible, and the sentence about it.

    The sentence is empty when there is no older one; without a shared object it is a warning only.
    """
    older = [each for each in cluster.extensions.by_package.get(candidate.package, ()) if _is_older(each, candidate)]
    if not older:
        return False, ""
    for other in older:
        shared = _shared(candidate, other)
        if shared:
            return True, f"{_first(other)}, and both have {shared}: an object has one owner"
    return False, f"{_first(older[0])}, too; they share no object as far as is known"


def _first(other: InstalledExtension) -> str:
    return f"ClusterExtension {quoted(other.name)} already asks for package {quoted(other.package)}"


def _is_older(other: InstalledExtension, candidate: Candidate) -> bool:
    return other.name != candidate.extension and (other.created, other.name) < (candidate.created, candidate.extension)


def _shared(candidate: Candidate, other: InstalledExtension) -> str:
    """The first object or API that both have; empty when there is none."""
    objects = sorted(candidate.objects & other.objects)
    if objects:
        kind, name = objects[0]
        return f"{kind} {quoted(name)}"
    apis = sorted(apis_of(candidate.properties) & apis_of(other.properties or ()))
    return api_text(apis[0]) if apis else ""
