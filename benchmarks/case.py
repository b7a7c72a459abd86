"""What a case is, and what it reports: values beside a floor measured in the same run, and beside a goal.

Used by every case, by `__main__` and by `report`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.stage import Stage

__all__ = ["FULL", "QUICK", "Case", "Floor", "Goal", "MeasuringError", "Row", "Scale"]


class MeasuringError(Exception):
    """What was to be measured did not happen."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that the work could take on this machine, in the unit of its row; `name` says how it was measured."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Goal:
    """The limit that the project set itself, in the unit of the row; a minimum where more is better."""

    limit: float
    is_minimum: bool = False

    def is_met(self, value: float) -> bool:
        """Whether `value` is within the limit."""
        return value >= self.limit if self.is_minimum else value <= self.limit


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    what: str
    value: float
    unit: str = "s"
    floor: Floor | None = None
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the floor the value is; below one is better than the floor for times, worse for rates."""
        return self.value / self.floor.value if self.floor and self.floor.value else None

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; `None` without a goal."""
        return self.goal.is_met(self.value) if self.goal else None


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: times in seconds, `catalogs` as multiples of the real catalog."""

    catalogs: tuple[int, ...] = (1, 3, 8)
    served: int = 3
    downloads: int = 6
    load_s: float = 3.0
    connections: tuple[int, ...] = (1, 16, 64)
    starts: int = 5
    polls: int = 4
    fleet: int = 50
    upgraded: int = 30
    rest_s: float = 30.0
    drifts: int = 4
    unpullable: int = 100
    unpullable_s: float = 15.0
    rounds: int = 5


FULL = Scale()
QUICK = Scale(
    catalogs=(1,),
    served=1,
    downloads=2,
    load_s=1.0,
    connections=(1, 16),
    starts=2,
    polls=2,
    fleet=4,
    upgraded=2,
    rest_s=5.0,
    drifts=1,
    unpullable=10,
    unpullable_s=5.0,
    rounds=2,
)


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure; `run` yields its rows as they are known."""

    name: str
    title: str
    run: Callable[[Stage], Iterator[Row]] = field(compare=False)
