"""All extensions in a table, and the messages of those that are not done. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olm_cli.output import Block, Cell, Line, Table, Tone
from olm_cli.status.classic_phase import ClassicPhase
from olm_cli.status.documents import version_text
from olm_cli.status.remarks import next_step, remarks
from olm_cli.status.state import SHOWN, is_good, tone_of

__all__ = ["overview"]

_PHASE_TONES = {ClassicPhase.SUCCEEDED: Tone.GOOD, ClassicPhase.FAILED: Tone.BAD}


def overview(documents: Sequence[Mapping[str, Any]], *, is_wide: bool = False) -> Iterator[Block]:
    """One row for each document; `is_wide` adds where it runs, its revisions, its upgrades and the phase of Classic."""
    more = ["NAMESPACE", "REVISIONS", "UPGRADES", "CLASSIC PHASE"] if is_wide else []
    titles = ["NAME", "VERSION", "WANTED", "CATALOG", *more, *(type_.upper() for type_ in SHOWN)]
    yield Table(titles, [_row(document, is_wide=is_wide) for document in documents])
    for document in documents:
        found = list(remarks(document))
        if found:
            yield Line()
            yield Line(document["name"], Tone.STRONG)
            yield from found
            yield from next_step(document)


def _row(document: Mapping[str, Any], *, is_wide: bool) -> list[Cell | str]:
    by_type = {condition["type"]: condition for condition in document["conditions"]}
    return [
        Cell(document["name"], Tone.STRONG),
        version_text(document["installed"]),
        _wanted(document),
        document["catalog"] or "",
        *(_wide(document) if is_wide else ()),
        *(_condition(by_type.get(type_)) for type_ in SHOWN),
    ]


def _wide(document: Mapping[str, Any]) -> list[Cell | str]:
    phase = ClassicPhase(document["classicPhase"])
    return [
        document["namespace"],
        ", ".join(document["activeRevisions"]),
        _upgrades(document["availableUpgrades"]),
        Cell(phase.value, _PHASE_TONES.get(phase, Tone.DOUBTFUL)),
    ]


def _upgrades(upgrades: Sequence[Mapping[str, Any]]) -> str:
    """The newest one, and how many there are beside it."""
    if not upgrades:
        return ""
    more = f" and {len(upgrades) - 1} more" if len(upgrades) > 1 else ""
    return f"{version_text(upgrades[0])}{more}"


def _wanted(document: Mapping[str, Any]) -> str:
    wanted = document["wanted"]
    text = f"{document['package']} {wanted['version'] or ''}".rstrip()
    if wanted["channels"]:
        text += f" in {', '.join(wanted['channels'])}"
    return text + (f" ({wanted['policy']})" if wanted["policy"] != "CatalogProvided" else "")


def _condition(condition: Mapping[str, Any] | None) -> Cell:
    if condition is None:
        return Cell("-", Tone.FAINT)
    if is_good(condition):
        return Cell(condition["status"], Tone.GOOD)
    return Cell(f"{condition['status']} ({condition['reason']})", tone_of(condition))
