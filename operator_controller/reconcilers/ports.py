"""What the reconciler of extensions acts through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.events import EventRecorder
from olmv1.manifests import Manifest
from olmv1.served import Served
from operator_controller.catalogs import Catalogs
from operator_controller.contents import Content, ContentOptions, Rendered
from operator_controller.reconcilers.definitions import DefinitionChecks
from operator_controller.reconcilers.dependencies import DependencyChecks
from operator_controller.reconcilers.rights import RightsChecks
from operator_controller.renderer import Certificates
from operator_controller.rollout.revisions import Revisions
from operator_controller.upgradeability import CurrentVersion
from operator_controller.waits import Waits

__all__ = ["ConditionSource", "ContentSource", "ExtensionPorts", "Platform"]


class ContentSource(Protocol):
    """Gets what is inside bundle images, and the objects made of it."""

    async def load(self, ref: str) -> Content:
        """The content of the image `ref`; raises `OlmError` when it cannot be had or read."""
        ...

    async def render(self, content: Content, options: ContentOptions) -> Rendered:
        """The objects to apply; raises `OlmError` when the content cannot be installed so."""
        ...


class Platform(Protocol):
    """What the cluster says about itself; every method raises `RetryableError` when it cannot be asked."""

    @property
    def wanted_provider(self) -> str:
        """The certificate provider that the administrator named; empty when any will do."""
        ...

    async def served(self) -> Served:
        """Its version and its kinds."""
        ...

    async def proxy(self) -> Mapping[str, str]:
        """The environment of its proxy, empty without one."""
        ...

    async def openshift(self) -> CurrentVersion | None:
        """Its version of OpenShift; `None` when it is none."""
        ...

    def certificates(self, served: Served) -> Certificates:
        """Who makes the certificates of webhooks on it."""
        ...


class ConditionSource(Protocol):
    """Reads what operators say about their own upgrade."""

    async def get(self, namespace: str, name: str) -> Manifest | None:
        """The OperatorCondition, `None` without one; raises `RetryableError` when it cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class ExtensionPorts:
    """`accounts` and `extensions` are watches; `waits` is told what extensions wait for.

    Without `conditions` no operator gets an OperatorCondition.
    """

    client: KubeClient
    extensions: Cache
    accounts: Cache
    catalogs: Catalogs
    contents: ContentSource
    checks: DependencyChecks
    definitions: DefinitionChecks
    platform: Platform
    rights: RightsChecks
    revisions: Revisions
    events: EventRecorder
    waits: Waits
    allow_unscoped: bool
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    conditions: ConditionSource | None = None
