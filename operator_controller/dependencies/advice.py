"""Ways out in the brackets of a message, and as manifests that are ready to apply. Rule: dependencies.md 6, 9, 10."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from olmv1.api.names import API_VERSION, KIND_CLUSTER_EXTENSION, LABEL_METADATA_NAME
from olmv1.constraints import ApiRequired, Leaf, PackageRequired, text_of
from olmv1.versions import quoted
from operator_controller.dependencies.alternatives import Alternative, Need, alternatives_to, is_advised
from operator_controller.dependencies.facts import Candidate, ClusterFacts

__all__ = ["advice_on", "manifests_for"]


def advice_on(leaf: Leaf, candidate: Candidate, cluster: ClusterFacts) -> str:
    """The rest of the brackets behind what was found; empty when nothing is known."""
    if not is_advised(leaf):
        return ""
    found = alternatives_to(leaf, candidate, cluster)
    if found:
        return _sentence(leaf, found[0])
    if isinstance(leaf, PackageRequired):
        is_there = any(each.bundle and each.package == leaf.package for each in cluster.extensions)
        nobody = ", no catalog offers a matching version" if is_there else "; no usable catalog offers it"
        return nobody if cluster.shelves.knows_all_of(leaf.package) else ""
    return "; no usable catalog offers it" if cluster.shelves.is_whole else ""


def manifests_for(alternatives: Iterable[Alternative]) -> tuple[dict[str, Any], ...]:
    """ClusterExtensions to apply: what the alternatives need first, then themselves.

    Namespace and account are proposals that somebody has to make; for an installed extension it is the part of its spec
    to change.
    """
    found: dict[str, dict[str, Any]] = {}
    for each in alternatives:
        for need in each.needs:
            for manifest in manifests_for(need.alternatives[:1]):
                found.setdefault(manifest["metadata"]["name"], manifest)
        manifest = _change(each) if each.extension else _install(each)
        found.setdefault(manifest["metadata"]["name"], manifest)
    return tuple(found.values())


def _sentence(leaf: Leaf, best: Alternative) -> str:
    if best.extension:
        change = f" with spec.source.catalog.version {quoted(best.needs_version)}" if best.needs_version else ""
        if isinstance(leaf, PackageRequired):
            return f", could be updated to {best.version}{change}"
        what = "provides it" if isinstance(leaf, ApiRequired) else "satisfies it"
        name = quoted(best.extension)
        return f"; ClusterExtension {name} could be updated to {best.version}{change}, which {what}"
    where = f"package {quoted(best.package)} {best.version} in catalog {quoted(best.catalog)}"
    needs = f", but itself lacks {', '.join(map(_need, best.needs))}" if best.needs else ""
    if isinstance(leaf, ApiRequired):
        return f"; {where} provides it{needs}"
    return f"; {where} channel {quoted(best.channel)} would satisfy it{needs}"


def _need(need: Need) -> str:
    return text_of(need.leaf)


def _install(alternative: Alternative) -> dict[str, Any]:
    name = alternative.package
    return {
        "apiVersion": API_VERSION,
        "kind": KIND_CLUSTER_EXTENSION,
        "metadata": {"name": name},
        "spec": {
            "namespace": name,
            "serviceAccount": {"name": f"{name}-installer"},
            "source": {
                "sourceType": "Catalog",
                "catalog": {
                    "packageName": name,
                    "version": alternative.version,
                    "channels": [alternative.channel],
                    "selector": {"matchLabels": {LABEL_METADATA_NAME: alternative.catalog}},
                },
            },
        },
    }


def _change(alternative: Alternative) -> dict[str, Any]:
    catalog: dict[str, Any] = {"packageName": alternative.package}
    if alternative.needs_version:
        catalog["version"] = alternative.needs_version
    return {
        "apiVersion": API_VERSION,
        "kind": KIND_CLUSTER_EXTENSION,
        "metadata": {"name": alternative.extension},
        "spec": {"source": {"sourceType": "Catalog", "catalog": catalog}},
    }
