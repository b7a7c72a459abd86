"""The whole report: the answer in a few words, what was asked, then one section for each part of the explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from olm_cli.explaining.classic import classic_section
from olm_cli.explaining.found import candidate_section, catalog_section
from olm_cli.explaining.ways import alternative_section, hop_section, route_section, successor_section
from olm_cli.output import Block, Cell, Fields, Line, Tone, apart
from operator_controller.explanation import Explanation, headline

__all__ = ["blocks_of"]


def blocks_of(
    extension: str | None, explanation: Explanation, hints: Sequence[str], *, is_whole: bool
) -> Iterator[Block]:
    """The report; `is_whole`: long lists are not cut."""
    found = explanation
    sections: list[tuple[str, Iterable[Block]]] = [
        ("Request", _request(found)),
        ("Catalogs", catalog_section(found)),
        ("Bundles", candidate_section(found, is_whole=is_whole)),
        ("Next upgrades", hop_section(found, is_whole=is_whole)),
        (_route_title(found), route_section(found, is_whole=is_whole)),
        ("What else could be asked for", alternative_section(found)),
        ("Best successors in one step", successor_section(found)),
        ("OLM Classic", classic_section(found, is_whole=is_whole)),
    ]
    parts = [_answer(extension, found, hints)]
    for title, blocks in sections:
        shown = list(blocks)
        if shown:
            parts.append([Line(title, Tone.STRONG), *shown])
    yield from apart(parts)


def _answer(extension: str | None, found: Explanation, hints: Sequence[str]) -> list[Block]:
    subject = extension or found.request.package
    if found.cause is not None:
        verdict, tone = f"{subject}: no bundle ({found.cause.kind})", Tone.BAD
    elif found.decision.is_installed:
        verdict, tone = f"{subject}: stays on what is installed", Tone.GOOD
    else:
        step = found.decision.chosen
        verdict, tone = f"{subject}: {step.bundle if step else ''}", Tone.GOOD
    remarks = [f"hint: {text}" for text in (*hints, *(note.message for note in found.notes), *found.decision.advice)]
    return [
        Line(verdict, tone),
        Line(headline(found), indent=2),
        *(Line(text, Tone.DOUBTFUL, indent=2) for text in remarks),
    ]


def _request(found: Explanation) -> Iterator[Block]:
    asked = found.request
    intervals = f" = {' or '.join(asked.intervals)}" if asked.intervals else ""
    rows: list[tuple[str, Cell | str]] = [
        ("package", asked.package),
        ("version", f"{asked.version}{intervals}" if asked.version else "any"),
        ("channels", ", ".join(asked.channels) or "all"),
        ("policy", asked.policy),
    ]
    if asked.selector:
        rows.append(("catalogs", asked.selector))
    if asked.hold_major:
        rows.append(("hold-major", "true"))
    if asked.kube_version:
        rows.append(("kubernetes", asked.kube_version))
    if asked.installed is not None:
        release = f", release {asked.installed.release}" if asked.installed.release else ""
        origin = f", from {asked.installed.catalog}" if asked.installed.catalog else ""
        rows.append(("installed", f"{asked.installed.name} ({asked.installed.version}{release}{origin})"))
    else:
        rows.append(("installed", "nothing"))
    if found.decision.message:
        rows.append(("condition", Cell(found.decision.message, Tone.BAD)))
    yield Fields(rows)


def _route_title(found: Explanation) -> str:
    route = found.route
    if route is None:
        return ""
    if not route.reaches_wanted:
        return f"Route to {route.wanted_version}: none"
    count = f"{len(route.steps)} step{'s' if len(route.steps) > 1 else ''}"
    return f"Shortest route to {route.steps[-1].pin}: {count}"
