"""Where the checks put what they find: severity is decided, order is kept, here only."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from olmv1.fbc.validation.branches import Branch
from olmv1.fbc.validation.facts import Spot
from olmv1.fbc.validation.finding import Code, Finding, Phase, Severity

__all__ = ["Notes"]


_LONGEST = 20_000  # characters: long enough to name a thousand bundles, and no copy of a blob


def _cut(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


class Notes:
    """Takes findings in any order and counts them.

    `is_strict`: breaches of schema rules are errors. `keeps`: how many of each severity are kept, `None`: all.
    """

    def __init__(self, *, is_strict: bool = False, keeps: int | None = None) -> None:
        self._is_strict = is_strict
        self._keeps = keeps
        self._counts: Counter[Severity] = Counter()
        self._kept: list[tuple[tuple[int, int, int], Finding]] = []

    def add(self, spot: Spot, code: Code, message: str, *, branches: tuple[Branch, ...] = ()) -> None:
        """Note one finding about the blob at `spot`."""
        severity = self._severity(code)
        self._counts[severity] += 1
        if self._keeps is None or self._counts[severity] <= self._keeps:
            finding = Finding(severity, code, _cut(message), spot.place, spot.subject, branches)
            self._kept.append(((spot.number, code.phase, len(self._kept)), finding))

    def add_at_line(self, spot: Spot, line: int, code: Code, message: str) -> None:
        """Note one finding about a line of the blob at `spot`."""
        self.add(replace(spot, place=replace(spot.place, line=line)), code, message)

    def count(self, severity: Severity) -> int:
        """How many findings there are, kept or not."""
        return self._counts[severity]

    def sorted(self) -> tuple[Finding, ...]:
        """The findings that were kept: in the order of the blobs, those of one blob by phase."""
        return tuple(finding for _, finding in sorted(self._kept, key=lambda kept: kept[0]))

    def _severity(self, code: Code) -> Severity:
        is_error = code.phase is not Phase.LINT or (self._is_strict and code.is_schema_rule)
        return Severity.ERROR if is_error else Severity.WARNING
