"""The answer of `olm crd-check`, for programs and for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from olm_cli.crd_checking.checking import Check, Result
from olm_cli.output import Block, Cell, Line, Table, Tone
from operator_controller.crd_safety import Judged, Outcome

__all__ = ["blocks_of", "document_of"]

_TONES = {
    Outcome.HARMLESS: Tone.FAINT,
    Outcome.ACCEPTED: Tone.DOUBTFUL,
    Outcome.BREAKS: Tone.BAD,
    Outcome.HARMS: Tone.BAD,
    Outcome.UNKNOWN: Tone.DOUBTFUL,
}
_RESULT_TONES = {
    Result.SAFE: Tone.GOOD,
    Result.ADDED: Tone.GOOD,
    Result.BLOCKED: Tone.BAD,
    Result.UNKNOWN: Tone.DOUBTFUL,
}
_COLUMNS = ("OUTCOME", "VERSION", "PATH", "CHECK", "CHANGE", "OBJECTS")


def document_of(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """Every definition with its result, the message of the condition, and every finding."""
    return [
        {
            "crd": each.verdict.crd,
            "result": each.result.value,
            "failure": each.verdict.failure,
            "findings": [_finding(item) for item in each.verdict.findings],
            "warnings": list(each.verdict.warnings),
        }
        for each in checks
    ]


def blocks_of(checks: Sequence[Check], *, accepting: str = "--accept") -> Iterator[Block]:
    """A table for every definition with findings, what would accept them, and how many there are of each result.

    `accepting` stands before the id of what can be accepted.
    """
    for check in checks:
        if not check.verdict.findings and not check.verdict.warnings:
            continue
        yield Line(f"{check.verdict.crd}: {check.result.value}", _RESULT_TONES[check.result])
        if check.verdict.findings:
            yield Table(_COLUMNS, [_row(each) for each in check.verdict.findings])
        yield from _hints(check, accepting)
        yield Line()
    yield Line(_summary(checks))
    if any(_is_unasked(item) for each in checks for item in each.verdict.findings):
        yield Line("unknown: it depends on stored objects; name them with --objects FILE or --objects cluster")


def _finding(judged: Judged) -> dict[str, Any]:
    found = judged.finding
    return {
        "id": found.id,
        "check": found.check,
        "version": found.version,
        "path": found.path,
        "text": found.remark.text,
        "risk": found.risk.value,
        "outcome": judged.outcome.value,
        "note": judged.note,
        "objects": {"count": judged.count, "names": list(judged.names)},
        **({"because": found.cause} if found.cause else {}),
    }


def _row(judged: Judged) -> tuple[Cell | str, ...]:
    found = judged.finding
    outcome = Cell(judged.outcome.value, _TONES[judged.outcome])
    return outcome, found.version, found.path, found.check, found.remark.text, judged.note


def _hints(check: Check, accepting: str) -> Iterator[Line]:
    blocking = [each.finding for each in check.verdict.findings if each.outcome.is_blocking]
    for found in blocking:
        # Who accepts the removed field accepts what follows from it.
        if not found.cause:
            yield Line(f"{accepting} {found.id}", Tone.FAINT, indent=2)
    for name in check.verdict.unused:
        yield Line(f"warning: {name} is accepted, but there is no such finding", Tone.DOUBTFUL, indent=2)


def _is_unasked(judged: Judged) -> bool:
    return judged.outcome is Outcome.UNKNOWN and not judged.note


def _summary(checks: Sequence[Check]) -> str:
    count = len(checks)
    numbers = Counter(each.result for each in checks)
    listed = ", ".join(f"{numbers[each]} {each.value}" for each in Result if numbers[each])
    return f"{count} definition{'s' * (count != 1)}" + (f": {listed}" if listed else "")
