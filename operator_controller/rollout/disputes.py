"""Objects that somebody else keeps changing back: repaired ever more rarely, so that no fight goes on for ever.

The first repairs follow at once. When an object keeps being changed, the pauses double; a quiet time ends the dispute.
Memory is enough: after a restart a dispute shows itself again within a few writes. Rule: revisions.md 5.3, 5.4.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from olmv1.kube.resources import Resource

__all__ = ["Disputes", "Spot"]

Spot = tuple[Resource, str, str]
"""One object: its resource, namespace and name."""

_FREE_REPAIRS = 5
_LONGEST_PAUSE_S = 300.0
_CALM_S = 60.0
"""How long an object must be left alone for a dispute to be over, above twice the last pause."""


@dataclass(frozen=True, slots=True)
class _Dispute:
    repairs: int
    last: float
    rivals: tuple[str, ...]

    @property
    def pause_s(self) -> float:
        beyond = self.repairs - _FREE_REPAIRS
        return min(_LONGEST_PAUSE_S, float(2 ** min(beyond, 10))) if beyond > 0 else 0.0

    @property
    def calm_s(self) -> float:
        return _CALM_S + 2 * self.pause_s

    def is_over(self, now: float) -> bool:
        return now - self.last > self.calm_s


class Disputes:
    """Repairs by revision and object; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[tuple[str, Spot], _Dispute] = {}
        self._seized: set[tuple[str, Spot]] = set()

    def repaired(self, owner_uid: str, spot: Spot, rivals: tuple[str, ...] = ()) -> None:
        """The object was changed back; `rivals` says who else writes which of its fields, as far as it is known."""
        before = self._current(owner_uid, spot)
        repairs = 1 if before is None else before.repairs + 1
        rivals = rivals or (() if before is None else before.rivals)
        self._known[owner_uid, spot] = _Dispute(repairs, self._clock(), rivals)

    def pause_s(self, owner_uid: str, spot: Spot) -> float:
        """Seconds until the object may be repaired again; 0: now."""
        found = self._current(owner_uid, spot)
        return 0.0 if found is None else max(0.0, found.last + found.pause_s - self._clock())

    def wait_s(self, owner_uid: str, spot: Spot) -> float:
        """Seconds until something changes by itself: a repair is due, or the dispute is over; 0 without one."""
        found = self._current(owner_uid, spot)
        if found is None:
            return 0.0
        return self.pause_s(owner_uid, spot) or max(0.0, found.last + found.calm_s - self._clock())

    def rivals(self, owner_uid: str, spot: Spot) -> tuple[str, ...] | None:
        """Who fights for the object (may be unknown: empty); `None` as long as it is no fight."""
        found = self._current(owner_uid, spot)
        return found.rivals if found is not None and found.repairs > _FREE_REPAIRS else None

    def may_seize(self, owner_uid: str, spot: Spot) -> bool:
        """Whether the revision may take the object from another controller: once, or two would take it in turns."""
        return (owner_uid, spot) not in self._seized

    def seized(self, owner_uid: str, spot: Spot) -> None:
        """The object was taken from another controller."""
        self._seized.add((owner_uid, spot))

    def forget(self, owner_uid: str) -> None:
        """The revision is gone."""
        self._known = {place: found for place, found in self._known.items() if place[0] != owner_uid}
        self._seized = {place for place in self._seized if place[0] != owner_uid}

    def _current(self, owner_uid: str, spot: Spot) -> _Dispute | None:
        found = self._known.get((owner_uid, spot))
        if found is not None and found.is_over(self._clock()):
            del self._known[owner_uid, spot]
            return None
        return found
