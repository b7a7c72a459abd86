"""Values inside messages. Rule: applying.md 5.2: quoted as Go quotes, enums as JSON between blanks."""

from __future__ import annotations

import json
from collections.abc import Iterable

__all__ = ["as_json", "as_number", "listed_json"]


def as_json(value: object) -> str:
    """`value` as JSON in one line, keys sorted, so that two equal values print alike."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def listed_json(values: Iterable[object]) -> str:
    """`["a" "b"]`."""
    return f"[{' '.join(map(as_json, values))}]"


def as_number(value: float) -> str:
    """The shortest digits: `3`, `1.5`."""
    return repr(value)
