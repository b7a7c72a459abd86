"""The cluster as one value: what it serves, its proxy, its version of OpenShift, who makes certificates on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from olmv1.kube.discovery import Discovery
from olmv1.served import Served
from operator_controller.certificates.provider import AUTO, choose_provider
from operator_controller.environment.cluster_proxy import ClusterProxy
from operator_controller.environment.cluster_version import ClusterVersionWatch
from operator_controller.renderer import Certificates
from operator_controller.upgradeability import CurrentVersion

__all__ = ["ClusterPlatform"]


class ClusterPlatform:
    """Answers from watches and from what was discovered; `provider` is `--cert-provider`, `removed` the gated ones."""

    def __init__(
        self,
        discovery: Discovery,
        proxy: ClusterProxy,
        version: ClusterVersionWatch,
        *,
        provider: str,
        removed: Collection[Certificates],
    ) -> None:
        self._discovery = discovery
        self._proxy = proxy
        self._version = version
        self._provider = provider
        self._removed = removed

    @property
    def definitions(self) -> frozenset[str]:
        """The CRDs whose coming and going concerns every extension."""
        return frozenset({self._proxy.definition, self._version.definition})

    @property
    def wanted_provider(self) -> str:
        """The certificate provider that was asked for by name; empty with `auto`, and when a gate removes it.

        No revision gets a removed one, so its absence must not ask for another revision.
        """
        is_open = self._provider == AUTO or Certificates(self._provider) in self._removed
        return "" if is_open else self._provider

    async def served(self) -> Served:
        """Version and kinds of the cluster.

        Raises: ApiError when it cannot be asked.
        """
        return await self._discovery.served()

    async def proxy(self) -> Mapping[str, str]:
        """The environment of the cluster's proxy; raises as `ClusterProxy.environment`."""
        return await self._proxy.environment()

    async def openshift(self) -> CurrentVersion | None:
        """The version of OpenShift; raises as `ClusterVersionWatch.current`."""
        return await self._version.current()

    def certificates(self, served: Served) -> Certificates:
        """Who makes the certificates of webhooks in new revisions."""
        return choose_provider(self._provider, served, self._removed)
