"""The version of the cluster, followed in its ClusterVersion. Rule: upgradeable.md 6.1."""

from __future__ import annotations

from collections.abc import Callable

from olmv1.kube.caches import Caches, Change
from olmv1.kube.discovery import Discovery
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import Resource
from operator_controller.upgradeability import CurrentVersion, current_version

__all__ = ["ClusterVersionWatch"]

_CLUSTER_VERSIONS = Resource("config.openshift.io", "v1", "clusterversions", "ClusterVersion", False)
_NAME = "version"


class ClusterVersionWatch:
    """The version of this cluster; `changed` is called when it is another one.

    `override` is `--openshift-version`, `release` the environment's `RELEASE_VERSION`.
    """

    def __init__(
        self,
        caches: Caches,
        discovery: Discovery,
        changed: Callable[[], None],
        *,
        override: str = "",
        release: str = "",
    ) -> None:
        self._watch = OptionalWatch(
            caches, discovery, _CLUSTER_VERSIONS, self._compare, field_selector=f"metadata.name={_NAME}"
        )
        self._tell = changed
        self._override = override
        self._release = release

    @property
    def definition(self) -> str:
        """The name of the CRD whose coming and going changes the answer."""
        return self._watch.definition

    async def current(self) -> CurrentVersion | None:
        """The version; `None` on clusters that are no OpenShift.

        Raises: RetryableError when the cluster has a ClusterVersion that cannot be read.
        """
        if self._override:
            return current_version(None, override=self._override)
        cache = await self._watch.cache()
        return None if cache is None else current_version(cache.get(_NAME), release=self._release)

    def _compare(self, change: Change) -> None:
        if change.type != "MODIFIED" or current_version(change.object) != current_version(change.old):
            self._tell()
