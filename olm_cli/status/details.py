"""One extension with everything that is known of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olm_cli.output import Block, Cell, Fields, Line, Table, Tone
from olm_cli.status.documents import version_text
from olm_cli.status.remarks import message_blocks, next_step, remarks
from olm_cli.status.state import SHOWN, is_good, tone_of
from olmv1.api.vocabulary import ConditionType

__all__ = ["details"]

_SUMMARIES = (ConditionType.READY, ConditionType.RECONCILING, ConditionType.STALLED)
_WELL_WHEN_TRUE = (ConditionType.READY, ConditionType.DEPENDENCIES_SATISFIED, ConditionType.CLUSTER_UPGRADEABLE)


def details(document: Mapping[str, Any], *, is_wide: bool = False) -> Iterator[Block]:
    """What is wanted and installed, every condition, the APIs, and the notes of its author.

    `is_wide` adds the phase of OLM Classic.
    """
    yield Line(document["name"], Tone.STRONG)
    yield Fields(list(_fields(document, is_wide=is_wide)))
    yield Line()
    said = _said_before(document["conditions"])
    if document["conditions"]:
        rows = [_condition_row(condition, said.get(condition["type"], "")) for condition in document["conditions"]]
        yield Table(["CONDITION", "STATUS", "REASON", "MESSAGE"], rows)
    for condition in document["conditions"]:
        if "\n" in condition["message"].strip() and condition["type"] not in said:
            yield Line()
            yield from message_blocks(condition, _tone_in_list(condition), indent=0)
    if found := list(remarks({**document, "conditions": []})):
        yield from (Line(), *found)
    if step := list(next_step(document)):
        yield from (Line(), *step)
    yield from _apis(document["apis"])


def _fields(document: Mapping[str, Any], *, is_wide: bool) -> Iterator[tuple[str, str]]:
    installed = document["installed"]
    yield "package", document["package"]
    yield "wanted", document["wanted"]["version"] or "any version"
    yield "channels", ", ".join(document["wanted"]["channels"]) or "all"
    yield "policy", document["wanted"]["policy"]
    yield "installed", f"{installed['name']} ({version_text(installed)})" if installed else "nothing"
    if document["availableUpgrades"]:
        yield "upgrades", ", ".join(version_text(each) for each in document["availableUpgrades"])
    yield "catalog", document["catalog"] or "-"
    yield "namespace", document["namespace"]
    yield "service account", document["serviceAccount"] or "none"
    yield "revisions", ", ".join(document["activeRevisions"]) or "none"
    if is_wide:
        yield "classic phase", document["classicPhase"]


def _said_before(conditions: Sequence[Mapping[str, Any]]) -> Mapping[str, str]:
    """Which of the conditions that sum up repeat the message of which one before them, all being well or not."""
    first = dict[str, str]()
    said = dict[str, str]()
    for each in conditions:
        before = first.setdefault(each["message"], each["type"])
        if each["type"] in _SUMMARIES and before != each["type"]:
            said[each["type"]] = before
    return said


def _condition_row(condition: Mapping[str, Any], said: str) -> list[Cell | str]:
    lines = condition["message"].strip().splitlines() or [""]
    message = f"as {said}" if said else lines[0] if len(lines) == 1 else f"({len(lines)} lines, see below)"
    return [condition["type"], Cell(condition["status"], _tone_in_list(condition)), condition["reason"], message]


def _tone_in_list(condition: Mapping[str, Any]) -> Tone:
    if condition["type"] in SHOWN:
        return Tone.GOOD if is_good(condition) else tone_of(condition)
    if condition["type"] in _WELL_WHEN_TRUE:
        return Tone.GOOD if condition["status"] == "True" else Tone.DOUBTFUL
    return Tone.DOUBTFUL if condition["status"] == "True" else Tone.PLAIN


def _apis(apis: Mapping[str, Any]) -> Iterator[Block]:
    if apis["problem"]:
        yield Line()
        yield Line(f"its APIs and dependents are not known: {apis['problem']}", Tone.FAINT)
    sections = (
        ("Provides", ("KIND", "GROUP", "VERSION"), [_provided(each) for each in apis["provides"] or ()]),
        ("Requires", ("", "REQUIRES", "BY"), [_required(each) for each in apis["requires"] or ()]),
        ("Needed by", ("EXTENSION", "REQUIRES", "ALSO MET BY"), [_dependent(each) for each in apis["neededBy"] or ()]),
    )
    for title, columns, rows in sections:
        if rows:
            yield Line()
            yield Line(title, Tone.STRONG)
            yield Table(columns, rows)


def _provided(api: Mapping[str, str]) -> Sequence[Cell | str]:
    return (api["kind"], api["group"], api["version"])


def _required(requirement: Mapping[str, Any]) -> Sequence[Cell | str]:
    met = Cell("met", Tone.GOOD) if requirement["satisfied"] else Cell("unmet", Tone.BAD)
    return (met, requirement["expression"], ", ".join(requirement["satisfiedBy"]))


def _dependent(dependent: Mapping[str, Any]) -> Sequence[Cell | str]:
    return (dependent["extension"], dependent["requires"], ", ".join(dependent["also"]))
