"""What accounts were refused, so that asking again stays cheap.

Listing every missing right takes a dry-run of every later object. As long as an account meets the same refusals, the
answer of the last time is repeated, and tries grow rarer; a change of RBAC wakes the revision at once anyway.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Refusals"]

_FRESH_S = 60.0
_FIRST_RETRY_S = 5.0
_LAST_RETRY_S = 60.0


@dataclass(frozen=True, slots=True)
class _Remembered:
    lines: tuple[str, ...]
    more: tuple[str, ...]
    until: float
    tries: int


class Refusals:
    """Refusals by UID of the revision; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[str, _Remembered] = {}

    def known(self, owner_uid: str, lines: tuple[str, ...]) -> tuple[str, ...] | None:
        """What dry-runs found behind the refusals `lines` a moment ago, or `None` when that must be asked."""
        found = self._known.get(owner_uid)
        is_same = found is not None and found.lines == lines and self._clock() < found.until
        return found.more if is_same and found is not None else None

    def remember(self, owner_uid: str, lines: tuple[str, ...], more: tuple[str, ...]) -> float:
        """Keep an answer; the seconds until the next try."""
        before = self._known.get(owner_uid)
        is_same = before is not None and (before.lines, before.more) == (lines, more)
        tries = before.tries + 1 if is_same and before is not None else 0
        until = (
            before.until
            if is_same and before is not None and self._clock() < before.until
            else self._clock() + _FRESH_S
        )
        self._known[owner_uid] = _Remembered(lines, more, until, tries)
        return min(_LAST_RETRY_S, _FIRST_RETRY_S * float(2 ** min(tries, 10)))

    def forget(self, owner_uid: str) -> None:
        """Nothing is refused any more, or the revision is gone."""
        self._known.pop(owner_uid, None)
