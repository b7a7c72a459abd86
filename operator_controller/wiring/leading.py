"""What only the leader runs: watches, queues, workers, and what speaks to the outside."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import replace

from prometheus_client import CollectorRegistry

from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.events import EventRecorder
from olmv1.kube.leases import new_identity
from olmv1.pull_secrets import PullSecrets
from olmv1.telemetry.logs import get_logger
from olmv1.tls import ClientContext
from operator_controller.catalogs import CatalogClient
from operator_controller.metrics import Metrics
from operator_controller.settings import Settings
from operator_controller.triggers import Queues, Triggers
from operator_controller.wiring.base import Base
from operator_controller.wiring.extensions import ExtensionParts
from operator_controller.wiring.object_sets import object_sets
from operator_controller.wiring.watching import opened, synced

__all__ = ["Leading"]

_COMPONENT = "operator-controller"
_ACCOUNT = "operator-controller-controller-manager"
_LAST_WORDS_S = 1.0
_LAST_WRITE_S = 0.1

log = get_logger(__name__)


class Leading:
    """The leader's part; `client` writes only while the process leads."""

    def __init__(
        self,
        settings: Settings,
        client: KubeClient,
        caches: Caches,
        registry: CollectorRegistry,
        trust: ClientContext,
    ) -> None:
        self.is_complete = False
        self._parts: list[ExtensionParts] = []
        self._trust = trust
        watches = opened(caches, settings.namespace)
        self._base = Base(
            settings=settings,
            client=client,
            caches=caches,
            watches=watches,
            discovery=Discovery(client),
            events=EventRecorder(client, _COMPONENT, new_identity()),
            registry=registry,
            metrics=Metrics(registry, extensions=watches.extensions, sets=watches.sets),
        )

    async def run(self) -> None:
        """Reconcile until cancelled."""
        base = self._base
        catalog_client = CatalogClient(lambda: self._trust.context, _COMPONENT)
        pull_secrets = self._pull_secrets()
        images = replace(
            ImageSettings.from_environment(os.environ, pull_cas_dir=base.settings.pull_cas_dir),
            is_policy_required=base.settings.require_image_policy,
        )
        puller = Puller(images, pull_secrets.credentials, base.registry)
        try:
            sets_queue, ports = object_sets(base)
            parts = ExtensionParts(base, ports.revisions, catalog_client, puller)
            self._parts.append(parts)
            await synced(base.watches, pull_secrets)
            queues = Queues(parts.queue, sets_queue)
            Triggers(base.watches, base.discovery, queues, parts.interests).connect()
            self.is_complete = True
            log.info("watches complete", extensions=len(base.watches.extensions.items()))
            async with asyncio.TaskGroup() as group:
                group.create_task(_speak(base.events))
                for part in (parts.queue, sets_queue, parts.changes, parts.reporter, parts.upgrades):
                    group.create_task(part.run())
        finally:
            await catalog_client.close()
            await puller.close()

    def _pull_secrets(self) -> PullSecrets:
        settings = self._base.settings
        secret = settings.global_pull_secret
        place = (secret.namespace, secret.name) if secret else None
        return PullSecrets(self._base.caches, (settings.namespace, _ACCOUNT), place, self._logins_changed)

    def _logins_changed(self) -> None:
        """Other logins: whoever failed to pull may try again."""
        for parts in self._parts:
            parts.wake_all()


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
