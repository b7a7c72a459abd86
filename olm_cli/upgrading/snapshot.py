"""The objects that say whether a cluster may be upgraded, wherever they were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from olmv1.errors import RetryableError
from olmv1.manifests import Manifest
from operator_controller.revisions.plan import Place, places_of
from operator_controller.upgrade_plan import ClusterFacts
from operator_controller.upgradeability import current_version

__all__ = ["SYSTEM_NAMESPACE", "Snapshot", "places_in"]

SYSTEM_NAMESPACE = "olmv1-system"
"""Where the Secrets of revisions are that do not say it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`cluster_version` is `None` where there is none; `kube_version` is empty when unknown.

    `secrets` hold the objects of revisions, or why one could not be read.
    """

    extensions: Sequence[Manifest] = ()
    object_sets: Sequence[Manifest] = ()
    catalogs: Sequence[Manifest] = ()
    cluster_version: Manifest | None = None
    kube_version: str = ""
    secrets: Mapping[Place, Manifest | RetryableError] = field(default_factory=dict)

    @property
    def facts(self) -> ClusterFacts:
        """The versions of the cluster."""
        openshift = None if self.cluster_version is None else current_version(self.cluster_version)
        return ClusterFacts(openshift, self.kube_version)


def places_in(object_sets: Sequence[Manifest]) -> tuple[Place, ...]:
    """The Secrets that active revisions refer to, sorted."""
    active = [each for each in object_sets if (each.get("spec") or {}).get("lifecycleState") == "Active"]
    return tuple(sorted({place for each in active for place in places_of(each, SYSTEM_NAMESPACE)}))
