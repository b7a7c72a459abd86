"""The best candidate of one catalog.

Rule: resolution.md 4 with decision 1: what is not deprecated first, then what can be read, then how it stands to the
installed bundle, then the highest version, release, and the first name.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["Standing", "best_of", "standing_of"]


class Standing(IntEnum):
    """What taking a candidate means, from the least to the most wanted.

    With nothing installed only the last two occur. A successor beats staying whatever its version: the filters have
    already removed every step back that nobody asked for.
    """

    SIDEWAYS = 0
    STAY = 1
    SKIPPED = 2
    ADVANCE = 3


def standing_of(candidate: Candidate, view: View) -> Standing:
    """How a candidate stands to the installed bundle."""
    if view.is_installed(candidate):
        return Standing.STAY
    installed = view.question.installed_version
    if installed is not None and candidate.version == installed and not view.is_led_to(candidate):
        return Standing.SIDEWAYS
    return Standing.SKIPPED if view.is_skipped(candidate) else Standing.ADVANCE


_Rank = tuple[bool, bool, Standing]
_HIGHEST: _Rank = (True, True, Standing.ADVANCE)


def best_of(candidates: Sequence[Candidate], view: View) -> Candidate | None:
    """The candidate that its catalog offers; `None` when there is none. Expects the order of the index."""
    best: Candidate | None = None
    best_rank: _Rank | None = None
    for candidate in candidates:
        rank = (not candidate.is_deprecated, candidate.version is not None, standing_of(candidate, view))
        if rank == _HIGHEST:
            return candidate
        if best_rank is None or rank > best_rank:
            best, best_rank = candidate, rank
    return best
