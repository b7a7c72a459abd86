"""The process: its servers, its lease, and the leader's part inside the lease."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry

from olmv1.api.names import LEASE_OPERATOR_CONTROLLER
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.leases import LeaderElector, new_identity
from olmv1.serving_certificate.authorities import follow_authorities
from olmv1.serving_certificate.serving import serving_of
from olmv1.settings import SecretName
from olmv1.telemetry.metrics_server import MetricsServer, new_registry
from olmv1.telemetry.probes import Probes
from olmv1.tls import ClientContext, client_context
from operator_controller.settings import Settings
from operator_controller.wiring.leading import Leading

__all__ = ["run"]

_COMPONENT = "operator-controller"


async def run(settings: Settings) -> None:
    """Run until cancelled; ends with the error when a server cannot listen or the lease is lost."""
    registry = new_registry()
    async with await KubeClient.connect(
        settings.kubeconfig or None, user_agent=_COMPONENT, registry=registry
    ) as client:
        trust = client_context(settings.catalogd_cas_dir, settings.profile())
        manager = _Manager(settings, client, registry, trust)
        async with asyncio.TaskGroup() as group:
            group.create_task(trust.watch())
            if settings.catalogd_ca_secret:
                place = SecretName(settings.namespace, settings.catalogd_ca_secret)
                group.create_task(follow_authorities(client, place, trust))
            _serve(group, settings, manager, registry)
            if settings.leader_elect:
                elector = LeaderElector(
                    client,
                    namespace=settings.namespace,
                    name=LEASE_OPERATOR_CONTROLLER,
                    identity=new_identity(),
                    registry=registry,
                )
                manager.elector = elector
                await elector.run(manager.lead)
            else:
                await manager.lead()


def _serve(group: asyncio.TaskGroup, settings: Settings, manager: _Manager, registry: CollectorRegistry) -> None:
    """Start probes and metrics."""
    address = settings.metrics_bind_address
    tls = serving_of(settings, registry) if address is not None else None
    if tls is not None:
        group.create_task(tls.follow(manager.client))
    if (probed := settings.health_probe_bind_address) is not None:
        probes = Probes(probed.host, probed.port)
        probes.add_check("caches", manager.what_is_missing)
        if tls is not None:
            probes.add_check("certificate", tls.what_is_missing)
        group.create_task(probes.run())
    if address is not None and tls is not None:
        group.create_task(MetricsServer(address, registry, manager.client, context=tls.context).run())


class _Manager:
    """Leads when it may, and says whether it is ready."""

    def __init__(
        self, settings: Settings, client: KubeClient, registry: CollectorRegistry, trust: ClientContext
    ) -> None:
        self.client = client
        self.elector: LeaderElector | None = None
        self._settings = settings
        self._registry = registry
        self._trust = trust
        self._leading: Leading | None = None

    def what_is_missing(self) -> str | None:
        """Why the process is not ready yet; a standby without the lease is ready to take over."""
        if self.elector is not None and not self.elector.is_leader:
            return None
        is_complete = self._leading is not None and self._leading.is_complete
        return None if is_complete else "watches are not complete yet"

    async def lead(self) -> None:
        """Reconcile until cancelled."""
        elector = self.elector
        # A process that slept past its lease must not write when it wakes.
        client = self.client if elector is None else self.client.guarded_by(lambda: elector.is_leader)
        async with Caches(self.client) as caches:
            self._leading = Leading(self._settings, client, caches, self._registry, self._trust)
            await self._leading.run()
