"""The outlook on a rollback, for programs and for people. Pure."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from olm_cli.crd_checking import blocks_of as definition_blocks
from olm_cli.crd_checking import document_of as definition_document
from olm_cli.output import Block, Cell, Fields, Line, Table, Tone, apart
from olm_cli.rolling_back.change import Change
from olm_cli.rolling_back.consequences import consequences_of, later_text
from olm_cli.rolling_back.outlook import Outlook
from operator_controller.resolver import Chosen, InstalledBundle

__all__ = ["blocks_of", "document_of"]

_SPEC = "spec.source.catalog"


def document_of(outlook: Outlook) -> dict[str, Any]:
    """Everything as plain values; patches are merge patches of the ClusterExtension."""
    chosen, later = outlook.chosen, outlook.later
    return {
        "extension": outlook.subject.ext.name,
        "installed": _bundle(outlook.installed),
        "target": {**(_bundle(outlook.destination.bundle) or {}), "because": outlook.destination.origin},
        "resolved": None
        if chosen is None
        else {"bundle": chosen.bundle.name, "catalog": chosen.catalog, "image": chosen.bundle.image},
        "change": [{"field": each.name, "before": each.before, "after": each.after} for each in outlook.change.fields],
        "patch": outlook.change.patch,
        "consequences": list(consequences_of(outlook)),
        "definitions": None if outlook.checks is None else definition_document(outlook.checks),
        "unknown": list(outlook.unknown),
        "holds": [each.to_json() for each in outlook.holds],
        "back": {
            "patch": outlook.change.way_back,
            "bundle": later.bundle.name if isinstance(later, Chosen) else None,
            "message": later_text(outlook),
        },
    }


def blocks_of(outlook: Outlook) -> Iterator[Block]:
    """The headline, the change, what follows from it, what holds it back, and the way back to following."""
    sections: list[tuple[str, Iterable[Block]]] = [
        (f"Change of {_SPEC}", _change(outlook.change)),
        ("Consequences", (Line(text, indent=2) for text in consequences_of(outlook))),
        ("CustomResourceDefinitions", _definitions(outlook)),
        ("Not known", (Line(text, Tone.DOUBTFUL, indent=2) for text in outlook.unknown)),
        ("Held back", _holds(outlook)),
        ("Back to following", _back(outlook)),
    ]
    parts: list[list[Block]] = [_headline(outlook)]
    for title, blocks in sections:
        shown = list(blocks)
        if shown:
            parts.append([Line(title, Tone.STRONG), *shown])
    yield from apart(parts)


def _headline(outlook: Outlook) -> list[Block]:
    now, bundle = outlook.installed, outlook.destination.bundle
    return [
        Line(f"{outlook.subject.ext.name}: {'held back' if outlook.holds else 'can be rolled back'}", _tone(outlook)),
        Fields(
            [
                ("installed", "nothing" if now is None else _text(now)),
                ("goes to", _text(bundle)),
                ("which is", outlook.destination.origin),
            ]
        ),
    ]


def _tone(outlook: Outlook) -> Tone:
    if outlook.holds:
        return Tone.BAD
    return Tone.DOUBTFUL if outlook.unknown else Tone.GOOD


def _change(change: Change) -> Iterator[Block]:
    if not change.fields:
        yield Line("none: it asks for this bundle already", indent=2)
        return
    rows = [(each.name, _value(each.before), Cell(_value(each.after), Tone.STRONG)) for each in change.fields]
    yield Table(["FIELD", "NOW", "THEN"], rows)


def _value(value: object) -> str:
    if value is None:
        return "not set"
    return json.dumps(value) if isinstance(value, list) else str(value)


def _definitions(outlook: Outlook) -> Iterator[Block]:
    if outlook.checks:
        yield from definition_blocks(outlook.checks, accepting="accept with the annotation crd-accept:")


def _holds(outlook: Outlook) -> Iterator[Block]:
    for each in outlook.holds:
        for line in each.message.splitlines():
            yield Line(line, Tone.BAD, indent=2)
        for text in each.remedies:
            yield Line(text, Tone.DOUBTFUL, indent=4)


def _back(outlook: Outlook) -> Iterator[Block]:
    if outlook.holds or not outlook.change.fields:
        return
    patch = json.dumps(outlook.change.way_back, separators=(",", ":"))
    name = outlook.subject.ext.name
    yield Line(shlex.join(["kubectl", "patch", "clusterextension", name, "--type=merge", f"--patch={patch}"]), indent=2)
    yield Line(later_text(outlook), indent=2)


def _bundle(bundle: InstalledBundle | None) -> Mapping[str, Any] | None:
    if bundle is None:
        return None
    return {"bundle": bundle.name, "version": bundle.version, "release": bundle.release}


def _text(bundle: InstalledBundle) -> str:
    release = f"+{bundle.release}" if bundle.release else ""
    return f"{bundle.name} ({bundle.version}{release})"
