"""What one reconcile of a ClusterObjectSet has learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from olmv1.errors import OlmError
from olmv1.manifests import ObjectKey
from operator_controller.revisions.probes import ProbeResult, Truth

__all__ = ["Action", "ObjectReport", "ObjectSetOutcome", "PhaseReport"]


class Action(StrEnum):
    """What was done to one object in this pass."""

    CREATED = "Created"
    UPDATED = "Updated"
    RECOVERED = "Recovered"
    IDLE = "Idle"
    PROGRESSED = "Progressed"
    COLLISION = "Collision"
    WAITING = "Waiting"
    """The object is on its way out; it is applied again when it is gone."""


@dataclass(frozen=True, slots=True)
class ObjectReport:
    """The result for one object; `detail` names the other owner of a collision, or what is waited for."""

    key: ObjectKey
    action: Action
    probe: ProbeResult
    detail: str = ""
    contest: str = ""
    """Who else keeps writing the object; empty when nobody does."""
    look_again_s: float | None = None
    """Seconds until the object is worth a look without an event."""

    @property
    def is_complete(self) -> bool:
        """Whether the rollout may go on past this object. Rule: revisions.md 5.5."""
        return self.action not in (Action.COLLISION, Action.WAITING) and self.probe.truth is Truth.TRUE


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The results of one phase that was reached."""

    index: int
    name: str
    objects: tuple[ObjectReport, ...]

    @property
    def is_complete(self) -> bool:
        """Whether the next phase may start."""
        return all(report.is_complete for report in self.objects)

    @property
    def collisions(self) -> tuple[ObjectReport, ...]:
        """The objects that somebody else owns."""
        return tuple(report for report in self.objects if report.action is Action.COLLISION)


@dataclass(frozen=True, slots=True)
class ObjectSetOutcome:
    """The facts of one pass over a revision."""

    observed_phases: tuple[tuple[str, str], ...] | None = None
    """Name and digest of each phase, once all references resolve."""
    phases: tuple[PhaseReport, ...] = ()
    phase_count: int = 0
    is_torn_down: bool = False
    is_tearing_down: bool = False
    waiting_for: tuple[ObjectKey, ...] = ()
    """Objects that are on their way out and hold up the deletion of the set."""
    failure: OlmError | None = None
    is_overdue: bool = False
    """The progress deadline has passed without success."""
    is_paused: bool = False
    """The person wants nothing to be changed for now: nothing was looked at."""
    look_at: datetime | None = None
    """When the certificates of its webhooks ask for another pass."""
    pods: Mapping[ObjectKey, tuple[str, ...]] = field(default_factory=dict)
    """What the pods of unhealthy workloads say."""
    ask_pods_in_s: float | None = None
    """Seconds until they are worth asking again; `None` while everything is healthy."""

    @property
    def failing(self) -> tuple[ObjectReport, ...]:
        """The objects that hold up the rollout, or that have become unhealthy since."""
        return tuple(report for phase in self.phases for report in phase.objects if not report.is_complete)

    @property
    def is_handed_over(self) -> bool:
        """Whether a newer revision has some of the objects: what is seen of them is no success of this one."""
        return any(report.action is Action.PROGRESSED for phase in self.phases for report in phase.objects)

    @property
    def is_complete(self) -> bool:
        """Whether every phase was reached and is complete."""
        reached_all = len(self.phases) == self.phase_count
        is_known = self.failure is None and not self.is_paused
        return is_known and reached_all and all(phase.is_complete for phase in self.phases)
