"""Names that a user may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "similar"]

_SHOWN = 3
_SHORTEST = 3
"""Letters of a name that tell something when they are found inside another."""


def similar(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most three of the known names that are near to `name`, nearest first; names that contain it come first."""
    names = sorted(set(known))
    wanted = name.casefold()
    containing = [each for each in names if _contains(each.casefold(), wanted) or _contains(wanted, each.casefold())]
    containing.sort(key=lambda each: (abs(len(each) - len(name)), each))
    near = get_close_matches(name, names, n=_SHOWN, cutoff=0.6)
    return tuple(dict.fromkeys([*containing, *near]))[:_SHOWN]


def _contains(text: str, part: str) -> bool:
    return len(part) >= _SHORTEST and part in text


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean "a" or "b"?`, to end a message with; empty when nothing is near."""
    found = [f'"{each}"' for each in similar(name, known)]
    return f"; did you mean {' or '.join(found)}?" if found else ""
