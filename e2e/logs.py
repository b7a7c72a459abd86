"""What is wrong in the log of a component: errors, tracebacks, and lines that no logger wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator

__all__ = ["problems"]


def problems(log: str) -> list[str]:
    """The lines of a log that tell of an error; a sound log has none."""
    return list(_bad_lines(log))


def _bad_lines(log: str) -> Iterator[str]:
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            yield line  # a traceback, or the last words of the interpreter
            continue
        if entry.get("level") not in ("debug", "info", "warning") or "exception" in entry:
            yield line
