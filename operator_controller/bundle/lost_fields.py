"""Which fields a document lost in the typed conversion: misspelt or unknown ones, of which nobody is told otherwise.

Called by the loader. Rule: bundle-rendering.md 15, row 11.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from operator_controller.bundle.conversion import dotted

__all__ = ["lost_fields_warning"]

_MAX_NAMED = 10


def lost_fields_warning(called: str, before: Any, after: Any) -> str | None:
    """`<called>: unknown fields were dropped: spec.a, spec.b and 3 more`; `None` when nothing was lost.

    `after` is the typed form of `before`. Empty values count as absent: the conversion leaves them out of known fields
    too.
    """
    lost = _lost(before, after, ())
    named = [dotted(path) for path in islice(lost, _MAX_NAMED)]
    more = sum(1 for _ in lost)
    if not named:
        return None
    return f"{called}: unknown fields were dropped: {', '.join(named)}{f' and {more} more' if more else ''}"


def _lost(before: Any, after: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if before is after:  # free JSON is kept as it is
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key in after:
                yield from _lost(value, after[key], (*path, key))
            elif not _is_empty(value):
                yield (*path, key)
    elif isinstance(before, list) and isinstance(after, list):
        for index, (item, kept) in enumerate(zip(before, after, strict=True)):
            yield from _lost(item, kept, (*path, index))


def _is_empty(value: Any) -> bool:
    """Whether there is nothing to lose in it."""
    if isinstance(value, dict):
        return all(map(_is_empty, value.values()))
    return not value
