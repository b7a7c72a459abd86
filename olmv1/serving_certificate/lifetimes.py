"""How long our own certificates live, and when each is renewed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

__all__ = ["Lifetimes"]


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Two years for the authority, 90 days for the serving certificate; each is renewed when a third of that is left.

    The serving certificate may be short: our servers take a new one at once. The authority may not: a person who
    copied it by hand has the months between the making of its successor and the day when that one signs.
    """

    authority: timedelta = timedelta(days=730)
    serving: timedelta = timedelta(days=90)
    skew: timedelta = timedelta(hours=1)
    """How far a certificate is dated back, for clocks that are behind ours."""

    @property
    def successor_due(self) -> timedelta:
        """Before the end of the authority: when its successor is made, and trusted beside it."""
        return self.authority / 3

    @property
    def takeover_due(self) -> timedelta:
        """Before the end of the authority: when its successor signs."""
        return self.authority / 10

    @property
    def spread(self) -> timedelta:
        """For how long a successor that was made late is trusted before it signs, while the authority lasts."""
        return self.authority / 30

    @property
    def serving_due(self) -> timedelta:
        """Before the end of the serving certificate: when it is issued anew."""
        return self.serving / 3
