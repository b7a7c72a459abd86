"""The results as a table on the terminal and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.case import Goal, Row

__all__ = ["head", "line", "save", "verdict"]

_WIDTHS = (58, 14, 34, 12)


def head(title: str) -> str:
    """The heading of a case."""
    columns = ("what", "value", "against the floor", "goal")
    return f"\n{title}\n" + _joined(columns) + "\n" + "-" * (sum(_WIDTHS) + 8)


def line(row: Row) -> str:
    """One row of the table."""
    ratio = row.ratio
    against = f"{_number(ratio)} x {row.floor.name}" if ratio is not None and row.floor else ""
    return _joined((row.what, f"{_number(row.value)} {row.unit}".rstrip(), against, _goal(row.goal))) + _mark(row)


def verdict(rows: Sequence[Row]) -> str:
    """How many goals are met."""
    judged = [row for row in rows if row.goal is not None]
    return f"\n{sum(bool(row.is_met) for row in judged)} of {len(judged)} goals are met"


def save(path: Path, results: Mapping[str, Sequence[Row]]) -> None:
    """Write the results as JSON: case → list of rows."""
    document = {case: [_plain(row) for row in rows] for case, rows in results.items()}
    path.write_text(json.dumps(document, indent=1) + "\n")


def _plain(row: Row) -> dict[str, Any]:
    floor = {"name": row.floor.name, "value": row.floor.value} if row.floor else None
    goal = {"limit": row.goal.limit, "is_minimum": row.goal.is_minimum, "is_met": row.is_met} if row.goal else None
    return {
        "what": row.what,
        "value": row.value,
        "unit": row.unit,
        "floor": floor,
        "ratio": row.ratio,
        "goal": goal,
    }


def _joined(cells: Sequence[str]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True))


def _goal(goal: Goal | None) -> str:
    return f"{'≥' if goal.is_minimum else '≤'} {_number(goal.limit)}" if goal else ""


def _mark(row: Row) -> str:
    return {None: "", True: "  met", False: "  NOT met"}[row.is_met]


def _number(value: float) -> str:
    """Three digits that count, without an exponent."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}"
