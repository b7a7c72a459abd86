"""What every part of the leader is built on."""

from __future__ import annotations

from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.events import EventRecorder
from operator_controller.metrics import Metrics
from operator_controller.settings import Settings
from operator_controller.triggers import Watches

__all__ = ["RECONCILE_DEADLINE_S", "Base"]

RECONCILE_DEADLINE_S = 900.0
"""For one pass over an extension or a revision."""


@dataclass(frozen=True, slots=True)
class Base:
    """`client` writes only while the process leads."""

    settings: Settings
    client: KubeClient
    caches: Caches
    watches: Watches
    discovery: Discovery
    events: EventRecorder
    registry: CollectorRegistry
    metrics: Metrics
