"""What becomes of every extension, for people: a table, then what needs a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from olm_cli.output import Block, Cell, Line, Table, Tone
from operator_controller.resolver import InstalledBundle, Unresolved
from operator_controller.simulation import Outlook, Verdict

__all__ = ["blocks_of"]

_TONES = {
    Verdict.STRANDED: Tone.BAD,
    Verdict.BLOCKED: Tone.BAD,
    Verdict.UNKNOWN: Tone.DOUBTFUL,
    Verdict.CHANGE: Tone.DOUBTFUL,
    Verdict.UPGRADE: Tone.GOOD,
    Verdict.INSTALL: Tone.GOOD,
}


def blocks_of(outlooks: Sequence[Outlook]) -> Iterator[Block]:
    """The worst verdicts first, by name among equals."""
    order = [Verdict.STRANDED, Verdict.BLOCKED, Verdict.UNKNOWN]
    ordered = sorted(outlooks, key=lambda each: order.index(each.verdict) if each.verdict in order else len(order))
    yield Table(["NAME", "PACKAGE", "INSTALLED", "OUTLOOK", "THEN", "DEPRECATED"], [_row(each) for each in ordered])
    for each in ordered:
        remarks = list(_remarks(each))
        if remarks:
            yield Line()
            yield Line(each.name, Tone.STRONG)
            yield from remarks
    yield Line()
    counts = Counter(each.verdict for each in outlooks)
    told = ", ".join(f"{counts[verdict]} {verdict.value.lower()}" for verdict in Verdict if counts[verdict])
    yield Line(f"{len(outlooks)} {'extension' if len(outlooks) == 1 else 'extensions'}: {told}")


def _row(outlook: Outlook) -> list[Cell | str]:
    return [
        Cell(outlook.name, Tone.STRONG),
        outlook.request.package,
        _version(outlook.request.installed),
        Cell(outlook.verdict.value, _TONES.get(outlook.verdict, Tone.PLAIN)),
        _then(outlook),
        Cell("becomes deprecated", Tone.DOUBTFUL) if outlook.deprecations else "",
    ]


def _version(installed: InstalledBundle | None) -> str:
    if installed is None:
        return "-"
    return f"{installed.version}+{installed.release}" if installed.release else installed.version


_SHOWN = 4


def _then(outlook: Outlook) -> str:
    pins = [step.pin for step in outlook.hops]
    if len(pins) > _SHOWN:
        pins = [*pins[: _SHOWN - 2], f"… ({len(pins) - _SHOWN + 1} more)", pins[-1]]
    return ", ".join(pins)


def _remarks(outlook: Outlook) -> Iterator[Block]:
    is_asked = outlook.verdict is not Verdict.UNCONCERNED
    refusal = outlook.after.message if is_asked and isinstance(outlook.after, Unresolved) else ""
    if refusal:
        yield Line(refusal, _TONES[outlook.verdict], indent=2)
    if outlook.reason and outlook.reason != refusal:
        yield Line(outlook.reason, indent=2)
    if outlook.catalog_move is not None:
        move = outlook.catalog_move
        yield Line(f"comes from catalog {move.destination} instead of {move.origin}", Tone.DOUBTFUL, indent=2)
    for text in outlook.deprecations:
        yield Line(f"deprecated: {text}", Tone.DOUBTFUL, indent=2)
    if outlook.verdict is not Verdict.UNCONCERNED:
        for note in outlook.after.notes:
            yield Line(note.message, Tone.FAINT, indent=2)
