"""Puts catalogd together and runs it: store and server first, so that it serves before it knows the cluster."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from prometheus_client import CollectorRegistry

from catalogd.reconcilers.catalog import CatalogReconciler, Ports
from catalogd.reconcilers.configuration import watch_configuration
from catalogd.reconcilers.examiner import Examiner
from catalogd.reconcilers.follower import FollowerReconciler
from catalogd.reconcilers.garbage import collect_garbage
from catalogd.reconcilers.presence import WatchedCatalogs
from catalogd.reconcilers.readiness import Readiness
from catalogd.reconcilers.series import CatalogSeries
from catalogd.reconcilers.tidings import Tidings
from catalogd.server.metrics import ServerMetrics
from catalogd.server.server import ContentServer, Limits
from catalogd.settings import Settings
from catalogd.store import Store
from catalogd.unpack import Unpacker
from olmv1.api.names import CONTROLLER_CATALOGD, LEASE_CATALOGD
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from olmv1.kube.caches import Cache, Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Controller, Result
from olmv1.kube.events import EventRecorder
from olmv1.kube.leases import LeaderElector, LostLease, new_identity
from olmv1.kube.queue import Backoff
from olmv1.kube.resources import CLUSTER_CATALOGS
from olmv1.manifests import name_of
from olmv1.pull_secrets import PullSecrets
from olmv1.serving_certificate.serving import Serving, serving_of
from olmv1.telemetry.logs import get_logger
from olmv1.telemetry.metrics_server import MetricsServer, new_registry
from olmv1.telemetry.probes import Probes

__all__ = ["run"]

_COMPONENT = "catalogd"
_ACCOUNT = "catalogd-controller-manager"
_FOLLOWER = "catalogd-content-follower"
_BACKOFF = Backoff(1.0, 2.0, 600.0, jitter=True)
# Readers are kept away from a replica that lacks content, so it asks for it more often.
_FOLLOWER_BACKOFF = Backoff(1.0, 2.0, 60.0, jitter=True)
# Longer than the longest pull: a pass that hangs beyond it is a bug, and its key must come again.
_PASS_DEADLINE_S = 2400.0
# Secrets that cannot be read (no right, no such namespace) must not stop catalogs that need none.
_SECRETS_S = 5.0

_log = get_logger(__name__)


async def run(settings: Settings) -> None:
    """Run until cancelled; ends with the error when a server cannot listen or the volume cannot be used.

    Raises:
        OlmError: alone or in a group.
    """
    registry = new_registry()
    tls = serving_of(settings, registry)
    store = Store(settings.cache_dir)
    known = WatchedCatalogs()
    readiness = Readiness(store)
    limits = Limits(downloads=settings.max_downloads)
    server = ContentServer(store, known, settings.endpoints, ServerMetrics(registry), limits)
    async with asyncio.TaskGroup() as group:
        loading = group.create_task(asyncio.to_thread(store.load))
        _serve(group, settings, server, readiness, tls)
        async with await KubeClient.connect(
            settings.kubeconfig or None, user_agent=_COMPONENT, registry=registry
        ) as client:
            if tls is not None:
                group.create_task(tls.follow(client))
            if (address := settings.metrics_bind_address) is not None and tls is not None:
                group.create_task(MetricsServer(address, registry, client, context=tls.context).run())
            async with Caches(client) as caches:
                catalogs = caches.open(CLUSTER_CATALOGS)
                known.connect(catalogs)
                readiness.connect(catalogs)
                examiner = Examiner(store)
                registry.register(CatalogSeries(catalogs, store, examiner))
                await loading
                examiner.examine_all()
                group.create_task(examiner.run())
                await _Manager(settings, client, store, registry, examiner).run(caches, catalogs)


def _serve(
    group: asyncio.TaskGroup, settings: Settings, server: ContentServer, readiness: Readiness, tls: Serving | None
) -> None:
    """Start the content server and the probes."""
    if (address := settings.catalogs_server_addr) is not None:
        group.create_task(server.run(address, tls.context if tls else None))
    if (address := settings.health_probe_bind_address) is not None:
        probes = Probes(address.host, address.port)
        if settings.catalogs_server_addr is not None:
            probes.add_check(
                "catalog-server", lambda: None if server.is_listening else "catalog server not yet started"
            )
        if tls is not None:
            probes.add_check("certificate", tls.what_is_missing)
        probes.add_check("content", readiness.what_is_missing)
        group.create_task(probes.run())


@dataclass(frozen=True, slots=True)
class _Queues:
    """The queue of the leader, which always exists, and that of the other replicas, if there can be any."""

    leader: Controller
    follower: Controller | None


class _Manager:
    """Everything that follows the cluster: reconcilers, election, pull secrets, garbage collection."""

    def __init__(
        self, settings: Settings, client: KubeClient, store: Store, registry: CollectorRegistry, examiner: Examiner
    ) -> None:
        self._settings = settings
        self._client = client
        self._store = store
        self._registry = registry
        self._examiner = examiner
        self._elector = self._new_elector() if settings.leader_elect else None

    async def run(self, caches: Caches, catalogs: Cache) -> None:
        """Follow the cluster until cancelled."""
        woken = asyncio.Event()
        named = self._settings.global_pull_secret
        secrets = PullSecrets(
            caches,
            (self._settings.namespace, _ACCOUNT),
            (named.namespace, named.name) if named else None,
            woken.set,
        )
        images = replace(
            ImageSettings.from_environment(os.environ, pull_cas_dir=self._settings.pull_cas_dir),
            is_policy_required=self._settings.require_image_policy,
        )
        puller = Puller(images, secrets.credentials, self._registry)
        try:
            await self._follow(catalogs, secrets, puller, woken)
        finally:
            await puller.close()

    async def _follow(self, catalogs: Cache, secrets: PullSecrets, puller: Puller, woken: asyncio.Event) -> None:
        # The lease itself is written by the other client: it is what allows this one to write.
        client = self._client if self._elector is None else self._client.guarded_by(self._is_leading)
        events = EventRecorder(client, _COMPONENT, new_identity())
        unpacker = Unpacker(puller, self._store, self._registry)
        ports = Ports(
            client=client,
            catalogs=catalogs,
            store=self._store,
            puller=puller,
            unpacker=unpacker,
            tidings=Tidings(events),
            base_url=self._settings.base_url,
            examiner=self._examiner,
        )
        reconciler = CatalogReconciler(ports)
        queues = self._queues(catalogs, reconciler, unpacker)
        await catalogs.wait_synced()
        await _read(secrets)
        async with asyncio.TaskGroup() as group:
            group.create_task(events.run())
            group.create_task(collect_garbage(self._store, catalogs, self._settings.gc_interval))
            group.create_task(watch_configuration(puller, woken.set))
            group.create_task(_wake(woken, catalogs, reconciler, queues))
            if queues.follower is not None:
                group.create_task(queues.follower.run())
            await self._lead(catalogs, queues)

    def _queues(self, catalogs: Cache, reconciler: CatalogReconciler, unpacker: Unpacker) -> _Queues:
        """The queues, fed by the changes of the catalogs; only a running one works."""
        leader = self._controller(CONTROLLER_CATALOGD, reconciler.reconcile, catalogs, _BACKOFF)
        elector = self._elector
        if elector is None:
            return _Queues(leader, None)
        follower = FollowerReconciler(catalogs, self._store, unpacker, self._examiner, lambda: elector.is_leader)
        return _Queues(leader, self._controller(_FOLLOWER, follower.reconcile, catalogs, _FOLLOWER_BACKOFF))

    def _controller(
        self, name: str, reconcile: Callable[[str], Awaitable[Result]], catalogs: Cache, backoff: Backoff
    ) -> Controller:
        made = Controller(
            name,
            reconcile,
            workers=self._settings.workers,
            backoff=backoff,
            registry=self._registry,
            deadline_s=_PASS_DEADLINE_S,
        )
        catalogs.add_handler(lambda change: made.enqueue(name_of(change.object)))
        return made

    async def _lead(self, catalogs: Cache, queues: _Queues) -> None:
        """Reconcile while this replica may; without the lease it goes on serving and asks for it again."""

        async def lead() -> None:
            # All of them: what was under way when the lease was lost last time has no event of its own.
            _enqueue_all(catalogs, queues.leader)
            await queues.leader.run()

        if self._elector is None or queues.follower is None:
            await lead()
            return
        while True:
            try:
                await self._elector.run(lead)
            except LostLease as lost:
                _log.warning("not the leader any more", reason=str(lost))
                _enqueue_all(catalogs, queues.follower)

    def _is_leading(self) -> bool:
        return self._elector is None or self._elector.is_leader

    def _new_elector(self) -> LeaderElector:
        return LeaderElector(
            self._client,
            namespace=self._settings.namespace,
            name=LEASE_CATALOGD,
            identity=new_identity(),
            registry=self._registry,
        )


async def _read(secrets: PullSecrets) -> None:
    try:
        async with asyncio.timeout(_SECRETS_S):
            await secrets.wait_synced()
    except TimeoutError:
        _log.warning("pull secrets cannot be read yet", waited_s=_SECRETS_S)


async def _wake(woken: asyncio.Event, catalogs: Cache, reconciler: CatalogReconciler, queues: _Queues) -> None:
    """Let failing catalogs try again at once after every change of logins or of the configuration on disk."""
    while True:
        await woken.wait()
        woken.clear()
        for name in reconciler.wake_failing():
            queues.leader.enqueue(name)
        if queues.follower is not None:
            _enqueue_all(catalogs, queues.follower)


def _enqueue_all(catalogs: Cache, queue: Controller) -> None:
    for catalog in catalogs.items():
        queue.enqueue(name_of(catalog))
