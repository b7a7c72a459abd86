"""How long certificates live, and when each is renewed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

__all__ = ["Lifetimes"]


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Two years for an authority, one for a serving certificate; each is renewed when a third of that is left.

    A third of a year is enough for an operator that reads its certificate only when it starts to be restarted, and for
    a controller that was switched off to come back.
    """

    authority: timedelta = timedelta(days=730)
    serving: timedelta = timedelta(days=365)
    skew: timedelta = timedelta(hours=1)
    """How far a certificate is dated back, for clocks that are behind ours."""

    @property
    def authority_renewal(self) -> timedelta:
        """Before the end of an authority: when its successor is made, and trusted beside it."""
        return self.authority / 3

    @property
    def authority_limit(self) -> timedelta:
        """Before the end of an authority: when its successor takes over, though not everybody trusts it yet."""
        return self.authority / 10

    @property
    def serving_renewal(self) -> timedelta:
        """Before the end of a serving certificate: when it is issued anew."""
        return self.serving / 3

    @property
    def worth(self) -> timedelta:
        """By how much a renewed certificate must outlive the old one; one that its authority cuts short does not."""
        return self.serving / 10

    @property
    def shortest_pause(self) -> timedelta:
        """Between two looks that nothing but time asks for."""
        return self.serving / 1000
