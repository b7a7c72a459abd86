"""What a pass over a revision acts on, and what all passes share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest
from operator_controller.certificates import Issued
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.plan import Plan, PlannedObject
from operator_controller.revisions.probes import Probe
from operator_controller.rollout.content import Contents
from operator_controller.rollout.disputes import Disputes, Spot
from operator_controller.rollout.judging import Judging
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.previews import Previews
from operator_controller.rollout.webhooks import Webhooks

__all__ = ["Revision", "Shared", "Target"]

_PARALLEL_ALL = 32
"""Objects of all revisions that are worked on at once: bounds our load on the API server."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A ClusterObjectSet made ready for a pass: its plan, its place among its siblings, and who writes for it.

    An installed one has succeeded before: all its phases are kept in repair, also behind one that is unhealthy.
    `certificates` are filled into its objects; `None` when none of them wants any.
    """

    object_set: Manifest
    plan: Plan
    owner: Owner
    owner_label: str
    probes: tuple[Probe, ...]
    writer: KubeClient
    is_installed: bool
    certificates: Issued | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """One object of a pass with the resource behind it; the key has no namespace where the kind has none."""

    planned: PlannedObject
    resource: Resource

    @property
    def spot(self) -> Spot:
        """Where the object is."""
        return (self.resource, self.planned.key.namespace, self.planned.key.name)


@dataclass(slots=True)
class Shared:
    """What all passes share."""

    reader: KubeClient
    discovery: Discovery
    observer: Observer
    contents: Contents
    webhooks: Webhooks
    judging: Judging
    previews: Previews = field(default_factory=Previews)
    disputes: Disputes = field(default_factory=Disputes)
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_PARALLEL_ALL))
    # One writer per object at a time. All revisions share a field manager, so the API server would let the second of
    # two first writes overwrite the first; the lock is held over that one request and nothing that waits for others.
    writing: WeakValueDictionary[Spot, asyncio.Lock] = field(default_factory=WeakValueDictionary)
