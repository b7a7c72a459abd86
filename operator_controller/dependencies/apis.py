"""The APIs that custom resource definitions serve, and what a rollout takes away of them."""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.api.names import LABEL_OWNER_KIND, LABEL_OWNER_NAME
from olmv1.constraints import REQUIREMENT_TYPES, Api, Property, apis_of
from olmv1.manifests import Manifest, labels_of, name_of
from olmv1.served import Served
from operator_controller.dependencies.facts import Candidate, InstalledExtension

__all__ = ["cluster_scoped", "crd_names", "manager_of", "removed_by", "required_groups", "served_by"]


def served_by(objects: Iterable[Manifest]) -> frozenset[Api]:
    """Group, version and kind of everything that the CRDs among `objects` serve."""
    found: set[Api] = set()
    for each in objects:
        if each.get("kind") == "CustomResourceDefinition":
            spec = each.get("spec") or {}
            kind = str((spec.get("names") or {}).get("kind") or "")
            served = [version for version in spec.get("versions") or () if version.get("served")]
            found |= {(str(spec.get("group") or ""), str(version.get("name") or ""), kind) for version in served}
    return frozenset(found)


def removed_by(
    objects: Iterable[Manifest], candidate: Candidate, own: InstalledExtension | None, served: Served
) -> frozenset[Api]:
    """The APIs that the rollout of the rendered `objects` takes away from what the extension has installed (`own`).

    Those that the installed bundle says it provides and the new one does not, and every version of the new CRDs that
    the cluster serves now and they will not: bundles rarely name all versions.
    """
    kept = served_by(objects)
    kinds = {(group, kind) for group, _, kind in kept}
    dropped = {api for api in served.kinds if (api[0], api[2]) in kinds} - kept
    before = frozenset[Api]() if own is None else apis_of(own.properties or ())
    return frozenset(dropped) | (before - kept - apis_of(candidate.properties))


def crd_names(objects: Iterable[Manifest]) -> tuple[str, ...]:
    """The names of the CRDs among `objects`, sorted."""
    return tuple(sorted(name_of(each) for each in objects if each.get("kind") == "CustomResourceDefinition"))


def cluster_scoped(objects: Iterable[Manifest]) -> frozenset[tuple[str, str]]:
    """Kind and name of the rendered objects that are in no namespace: only one extension can have each."""
    return frozenset(
        (str(each.get("kind")), name_of(each)) for each in objects if not (each.get("metadata") or {}).get("namespace")
    )


def manager_of(live: Manifest) -> str | None:
    """The ClusterExtension that manages an object by its labels; `None` for the objects of other people."""
    labels = labels_of(live)
    return labels.get(LABEL_OWNER_NAME) if labels.get(LABEL_OWNER_KIND) == "ClusterExtension" else None


def required_groups(properties: Iterable[Property]) -> frozenset[str]:
    """The API groups that requirements name, at any depth: a kind of one of them may come or go."""
    waiting = [each.value for each in properties if each.type in REQUIREMENT_TYPES]
    found: set[str] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(group := value.get("group"), str):
                found.add(group)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return frozenset(found)
