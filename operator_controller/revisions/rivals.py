"""Who else writes an object, in words: from the refusal of a server-side apply. Rule: revisions.md 5.4."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["contested_text", "rivals_of"]

_MANAGER = re.compile(r'conflict with "((?:[^"\\]|\\.)*)"')
_LISTED = 10


def rivals_of(causes: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """`field manager "x" sets .data.a, .data.b` for every manager in the `causes` of a conflict, sorted and bounded."""
    fields: dict[str, set[str]] = {}
    for cause in causes:
        found = _MANAGER.search(str(cause.get("message") or ""))
        if found is not None:
            fields.setdefault(found.group(1), set()).add(str(cause.get("field") or ""))
    return tuple(
        f'field manager "{manager}" sets {_listed(sorted(names))}' for manager, names in sorted(fields.items())
    )


def contested_text(rivals: Iterable[str]) -> str:
    """What is said of an object that does not stay as the revision makes it."""
    who = "; ".join(rivals) or "somebody else changes it"
    return f"{who}, again and again: the revision takes it back ever more rarely until one of the two gives up"


def _listed(names: list[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest} more fields" if rest > 0 else "")
