"""Puts the operator-controller together and runs it: clients, watches, ports, reconcilers, in that order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from prometheus_client import CollectorRegistry

from olmv1.api.names import (
    CONTROLLER_CLUSTER_EXTENSION,
    CONTROLLER_CLUSTER_OBJECT_SET,
    LABEL_REVISION_NAME,
    LEASE_OPERATOR_CONTROLLER,
)
from olmv1.images.bundle_images import BundleImages
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Controller
from olmv1.kube.discovery import Discovery
from olmv1.kube.events import EventRecorder
from olmv1.kube.leases import LeaderElector, new_identity
from olmv1.kube.resources import (
    CLUSTER_CATALOGS,
    CLUSTER_EXTENSIONS,
    CLUSTER_OBJECT_SETS,
    CLUSTER_ROLE_BINDINGS,
    CLUSTER_ROLES,
    CUSTOM_RESOURCE_DEFINITIONS,
    NAMESPACES,
    ROLE_BINDINGS,
    ROLES,
    SECRETS,
    SERVICE_ACCOUNTS,
)
from olmv1.manifests import Manifest, name_of
from olmv1.pull_secrets import PullSecrets
from olmv1.telemetry.logs import get_logger
from olmv1.telemetry.metrics_server import MetricsServer, new_registry
from olmv1.telemetry.probes import Probes
from olmv1.tls import ClientContext, client_context, server_context
from operator_controller.catalogs import CatalogClient, Catalogs, ContentChanges, PackageStore
from operator_controller.pace import Pace
from operator_controller.reconcilers.extension import ExtensionPorts, ExtensionReconciler
from operator_controller.reconcilers.object_set import ObjectSetPorts, ObjectSetReconciler
from operator_controller.rollout.content import Contents
from operator_controller.rollout.engine import Engine
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.revisions import BY_OWNER, Revisions, owner_keys
from operator_controller.rollout.teardown import Teardown
from operator_controller.settings import Settings
from operator_controller.triggers import (
    BY_ACCOUNT,
    Queues,
    Triggers,
    Watches,
    account_keys,
    concerned_by,
    set_account_keys,
)

__all__ = ["run"]

_COMPONENT = "operator-controller"
_ACCOUNT = "operator-controller-controller-manager"
_RECONCILE_DEADLINE_S = 900.0
_LAST_WORDS_S = 1.0
_LAST_WRITE_S = 0.1
# Secrets that cannot be read must not stop extensions that need none.
_PULL_SECRETS_S = 5.0

log = get_logger(__name__)


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
    if (address := settings.health_probe_bind_address) is not None:
        probes = Probes(address.host, address.port)
        probes.add_check("caches", manager.what_is_missing)
        group.create_task(probes.run())
    if (address := settings.metrics_bind_address) is not None and settings.tls_cert and settings.tls_key:
        tls = server_context(settings.tls_cert, settings.tls_key, settings.profile(), registry)
        group.create_task(tls.watch())
        group.create_task(MetricsServer(address, registry, manager.client, context=tls.context).run())


class _Manager:
    """The part of the controller that only a leader runs: watches, queues, workers."""

    def __init__(
        self, settings: Settings, client: KubeClient, registry: CollectorRegistry, trust: ClientContext
    ) -> None:
        self.client = client
        self.elector: LeaderElector | None = None
        self._settings = settings
        self._registry = registry
        self._trust = trust
        self._is_complete = False

    def what_is_missing(self) -> str | None:
        """Why the process is not ready yet; a standby without the lease is ready to take over."""
        if self.elector is not None and not self.elector.is_leader:
            return None
        return None if self._is_complete else "watches are not complete yet"

    async def lead(self) -> None:
        """Reconcile until cancelled."""
        async with Caches(self.client) as caches:
            await self._reconcile(caches)

    async def _reconcile(self, caches: Caches) -> None:
        settings, registry, elector = self._settings, self._registry, self.elector
        # A process that slept past its lease must not write when it wakes.
        client = self.client if elector is None else self.client.guarded_by(lambda: elector.is_leader)
        watches = _watches(caches, settings)
        events = EventRecorder(client, _COMPONENT, new_identity())
        discovery = Discovery(client)
        catalog_client = CatalogClient(lambda: self._trust.context, _COMPONENT)
        extensions: list[Controller] = []
        global_secret = settings.global_pull_secret
        pull_secrets = PullSecrets(
            caches,
            (settings.namespace, _ACCOUNT),
            (global_secret.namespace, global_secret.name) if global_secret else None,
            lambda: _wake_all(watches, extensions),
        )
        images = replace(
            ImageSettings.from_environment(os.environ, pull_cas_dir=settings.pull_cas_dir),
            is_policy_required=settings.require_image_policy,
        )
        puller = Puller(images, pull_secrets.credentials, registry)
        catalogs = Catalogs(watches.catalogs, catalog_client, PackageStore(settings.cache_path / "catalogs"))
        try:
            sets_queue, ports = self._object_sets(client, caches, watches, discovery, events)
            reconciler = ExtensionReconciler(
                ExtensionPorts(
                    client=client,
                    extensions=watches.extensions,
                    accounts=watches.accounts,
                    catalogs=catalogs,
                    bundles=_Bundles(puller, settings),
                    revisions=ports.revisions,
                    events=events,
                    allow_unscoped=settings.allow_unscoped,
                )
            )
            queue = Controller(
                CONTROLLER_CLUSTER_EXTENSION,
                reconciler.reconcile,
                workers=settings.workers,
                registry=registry,
                deadline_s=_RECONCILE_DEADLINE_S,
            )
            extensions.append(queue)
            await _synced(watches, pull_secrets)
            contents = _content_changes(watches, catalogs, queue)
            Triggers(watches, discovery, Queues(queue, sets_queue), contents.ask).connect()
            self._is_complete = True
            log.info("watches complete", extensions=len(watches.extensions.items()))
            async with asyncio.TaskGroup() as group:
                group.create_task(_speak(events))
                for part in (queue, sets_queue, contents):
                    group.create_task(part.run())
        finally:
            await catalog_client.close()
            await puller.close()

    def _object_sets(
        self, client: KubeClient, caches: Caches, watches: Watches, discovery: Discovery, events: EventRecorder
    ) -> tuple[Controller, ObjectSetPorts]:
        """The queue of revisions and what its reconciler acts through."""
        settings = self._settings
        contents = Contents(client, settings.namespace)
        queues: list[Controller] = []

        pace = Pace()

        def wake(name: str) -> None:
            queues[0].enqueue_after(name, pace.delay_s(name))  # the queue comes last: its reconciler needs the observer

        observer = Observer(caches, wake)
        ports = ObjectSetPorts(
            client=client,
            sets=watches.sets,
            accounts=watches.accounts,
            revisions=Revisions(client, watches.sets, watches.secrets, settings.namespace),
            contents=contents,
            observer=observer,
            engine=Engine(client, discovery, observer, contents),
            teardown=Teardown(client, discovery),
            events=events,
            allow_unscoped=settings.allow_unscoped,
        )
        queues.append(
            Controller(
                CONTROLLER_CLUSTER_OBJECT_SET,
                ObjectSetReconciler(ports).reconcile,
                workers=settings.workers,
                registry=self._registry,
                deadline_s=_RECONCILE_DEADLINE_S,
            )
        )
        return queues[0], ports


def _content_changes(watches: Watches, catalogs: Catalogs, queue: Controller) -> ContentChanges:
    """Wakes the extensions of packages that changed."""

    def concerned(catalog: Manifest) -> Mapping[str, Sequence[str]]:
        return concerned_by(catalog, watches.extensions.items())

    changes = ContentChanges(catalogs, watches.catalogs.get, concerned, queue.enqueue)
    catalogs.on_change = changes.changed
    return changes


class _Bundles:
    """The files of bundle images, through the cache on disk."""

    def __init__(self, puller: Puller, settings: Settings) -> None:
        limit = settings.cache_max_mebibytes * 1024 * 1024
        self._images = BundleImages(settings.cache_path / "bundles", puller, limit)

    async def files(self, ref: str) -> Mapping[str, bytes]:
        """The files of the image `ref`."""
        image = await self._images.unpack(ref)
        for warning in image.warnings:
            log.warning("image pulled with a warning", ref=ref, warning=warning)
        return await asyncio.to_thread(image.files)


def _watches(caches: Caches, settings: Settings) -> Watches:
    sets = caches.open(CLUSTER_OBJECT_SETS)
    sets.add_index(BY_OWNER, owner_keys)
    sets.add_index(BY_ACCOUNT, set_account_keys)
    secrets = caches.open(SECRETS, namespace=settings.namespace, label_selector=LABEL_REVISION_NAME, metadata_only=True)
    secrets.add_index(BY_OWNER, owner_keys)
    extensions = caches.open(CLUSTER_EXTENSIONS)
    extensions.add_index(BY_ACCOUNT, account_keys)
    roles = (ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS)
    return Watches(
        extensions=extensions,
        sets=sets,
        catalogs=caches.open(CLUSTER_CATALOGS),
        accounts=caches.open(SERVICE_ACCOUNTS, metadata_only=True),
        secrets=secrets,
        definitions=caches.open(CUSTOM_RESOURCE_DEFINITIONS, metadata_only=True),
        namespaces=caches.open(NAMESPACES, metadata_only=True),
        roles=tuple(caches.open(resource, metadata_only=True) for resource in roles),
    )


async def _synced(watches: Watches, pull_secrets: PullSecrets) -> None:
    single = (watches.extensions, watches.sets, watches.catalogs, watches.accounts, watches.secrets)
    for cache in (*single, watches.definitions, watches.namespaces, *watches.roles):
        await cache.wait_synced()
    try:
        async with asyncio.timeout(_PULL_SECRETS_S):
            await pull_secrets.wait_synced()
    except TimeoutError:
        log.warning("pull secrets not read yet, going on without them")


async def _speak(events: EventRecorder) -> None:
    """Write Events until cancelled, and then for a moment those that wait."""
    try:
        await events.run()
    finally:
        writing = asyncio.create_task(events.run())
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_S):
                while events.waiting:  # noqa: ASYNC110 - the recorder has no end to wait for
                    await asyncio.sleep(0.02)
                await asyncio.sleep(_LAST_WRITE_S)
        writing.cancel()


def _wake_all(watches: Watches, queues: list[Controller]) -> None:
    """Other logins: whoever failed to pull may try again."""
    for queue in queues:
        for ext in watches.extensions.items():
            queue.wake(name_of(ext))
