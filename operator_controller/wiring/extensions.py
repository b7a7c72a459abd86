"""The queue of extensions with everything around it: contents, dependency checks, the platform, its report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from olmv1.api.names import CONTROLLER_CLUSTER_EXTENSION
from olmv1.images.bundle_images import BundleImages
from olmv1.images.puller import Puller
from olmv1.kube.controller import Controller
from olmv1.manifests import Manifest, name_of
from operator_controller.catalogs import CatalogClient, Catalogs, ContentChanges, PackageStore
from operator_controller.cluster_operator import ClusterOperatorMode, Reporter, ReporterPorts
from operator_controller.contents import Contents, Helm
from operator_controller.environment import (
    ClusterPlatform,
    ClusterProxy,
    ClusterVersionWatch,
    KubeVersionWatch,
    OperatorConditions,
)
from operator_controller.reconcilers.definitions import DefinitionChecks
from operator_controller.reconcilers.dependencies import DependencyChecks, DependencyPorts
from operator_controller.reconcilers.extension import ExtensionReconciler
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.rights import RightsChecks
from operator_controller.revisions.view import view_of
from operator_controller.rollout.revisions import Revisions
from operator_controller.target import bundle_facts
from operator_controller.triggers import Interests, concerned_by
from operator_controller.upgradeability import Minor, Verdict, verdict_of
from operator_controller.waits import Waits
from operator_controller.wiring.base import RECONCILE_DEADLINE_S, Base

__all__ = ["ExtensionParts"]


class ExtensionParts:
    """`queue`, `changes`, `reporter` and `upgrades` are to be run; `interests` is for the triggers."""

    def __init__(self, base: Base, revisions: Revisions, catalog_client: CatalogClient, puller: Puller) -> None:
        settings, watches = base.settings, base.watches
        self._base = base
        self._revisions = revisions
        self._waits = Waits()
        self._catalogs = Catalogs(watches.catalogs, catalog_client, PackageStore(settings.cache_path / "catalogs"))
        self.changes = ContentChanges(self._catalogs, watches.catalogs.get, self._concerned, self._wake)
        self._catalogs.on_change = self.changes.changed
        self._version = ClusterVersionWatch(
            base.caches,
            base.discovery,
            self._platform_changed,
            override=settings.openshift_version,
            release=_release(),
        )
        self._platform = ClusterPlatform(
            base.discovery,
            ClusterProxy(base.caches, base.discovery, self.wake_all),
            self._version,
            provider=settings.cert_provider,
            removed=settings.removed_providers,
        )
        self.upgrades = KubeVersionWatch(base.discovery, self.wake_all)
        self._conditions = OperatorConditions(base.caches, base.discovery, self._condition_changed)
        images = BundleImages(settings.cache_path / "bundles", puller, settings.cache_max_mebibytes * 1024 * 1024)
        self.queue = Controller(
            CONTROLLER_CLUSTER_EXTENSION,
            base.metrics.counted(ExtensionReconciler(self._ports(Contents(images, Helm(settings.helm)))).reconcile),
            workers=settings.workers,
            registry=base.registry,
            deadline_s=RECONCILE_DEADLINE_S,
        )
        self.reporter = Reporter(self._reporter_ports(), base.registry)
        for cache in (watches.extensions, watches.sets):
            cache.add_handler(lambda _: self.reporter.ask(), replay=False)

    @property
    def interests(self) -> Interests:
        """Who wants to know of what."""
        of_reporter = dict.fromkeys(self.reporter.definitions, self.reporter.ask)
        of_platform = dict.fromkeys((*self._platform.definitions, self._conditions.definition), self._platform_changed)
        return Interests(
            self.changes.ask, self._waits.for_group, self._waits.for_rights, {**of_reporter, **of_platform}
        )

    def wake_all(self) -> None:
        """Reconcile every extension as if it had never failed."""
        for ext in self._base.watches.extensions.items():
            self.queue.wake(name_of(ext))

    def _ports(self, contents: Contents) -> ExtensionPorts:
        base = self._base
        checks = DependencyChecks(
            DependencyPorts(
                extensions=base.watches.extensions,
                sets=base.watches.sets,
                definitions=base.watches.definitions,
                revisions=self._revisions,
                catalogs=self._catalogs,
                waiting=self._waits.for_others,
                wake=self._wake,
            )
        )
        return ExtensionPorts(
            client=base.client,
            extensions=base.watches.extensions,
            accounts=base.watches.accounts,
            catalogs=self._catalogs,
            contents=contents,
            checks=checks,
            definitions=DefinitionChecks(base.client, base.watches.definitions),
            conditions=self._conditions,
            platform=self._platform,
            rights=RightsChecks(base.client, base.discovery, base.watches.roles),
            revisions=self._revisions,
            events=base.events,
            waits=self._waits,
            allow_unscoped=base.settings.allow_unscoped,
        )

    def _reporter_ports(self) -> ReporterPorts:
        base = self._base
        return ReporterPorts(
            client=base.client,
            caches=base.caches,
            discovery=base.discovery,
            current=self._version.current,
            verdicts=self._verdicts,
            now=lambda: datetime.now(UTC),
            mode=ClusterOperatorMode(base.settings.cluster_operator),
            namespace=base.settings.namespace,
            release=_release(),
        )

    def _verdicts(self, current: Minor) -> Mapping[str, Verdict]:
        names = [name_of(ext) for ext in self._base.watches.extensions.items()]
        facts = {name: bundle_facts(view_of(item) for item in self._revisions.of(name)) for name in names}
        found = {name: verdict_of(bundles, current) for name, bundles in facts.items()}
        return {name: verdict for name, verdict in found.items() if verdict is not None}

    def _concerned(self, catalog: Manifest) -> Mapping[str, Sequence[str]]:
        return concerned_by(catalog, self._base.watches.extensions.items())

    def _wake(self, name: str) -> None:
        self.queue.enqueue(name)

    def _condition_changed(self, namespace: str) -> None:
        """An operator of the namespace says whether it may be replaced."""
        for ext in self._base.watches.extensions.items():
            if (ext.get("spec") or {}).get("namespace") == namespace:
                self.queue.wake(name_of(ext))

    def _platform_changed(self) -> None:
        self.wake_all()
        self.reporter.ask()


def _release() -> str:
    """The release of OpenShift that this process is part of, as its operator tells it."""
    return os.environ.get("RELEASE_VERSION", "")
