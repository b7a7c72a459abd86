"""What is known about a request beside what the resolver is given: its selector, and the catalogs that do not count."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Absence", "LeftOut", "Surroundings"]


class Absence(StrEnum):
    """Why a catalog of the cluster is not looked into."""

    NOT_SELECTED = "excluded by selector"
    UNAVAILABLE = "unavailable"
    DELETING = "being deleted"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A catalog of the cluster that is not looked into."""

    name: str
    priority: int
    absence: Absence


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`selector` is the text of the catalog selector, empty for "all"; `left_out` in any order."""

    selector: str = ""
    left_out: tuple[LeftOut, ...] = ()
