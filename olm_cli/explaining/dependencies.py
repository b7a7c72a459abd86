"""What the chosen bundle requires of others, what would satisfy it, and manifests to apply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olm_cli.asking.dependencies import Needs
from olm_cli.output import Block, Cell, Line, Table, Tone
from olmv1.yaml import dump_yaml

__all__ = ["dependency_blocks"]

_INDENT = 2


def dependency_blocks(needs: Needs) -> Iterator[Block]:
    """The section, with a blank line before it."""
    yield Line()
    yield Line("Dependencies", Tone.STRONG)
    report = needs.report
    if report["requirements"]:
        yield Table(("", "REQUIRES", "BY"), [_row(each, is_known=needs.is_known) for each in report["requirements"]])
    if not needs.is_known:
        yield Line(
            "no extension of a cluster was asked about: what is installed is not known", Tone.FAINT, indent=_INDENT
        )
    elif needs.verdict.failure is not None:
        yield from (Line(text.strip(), Tone.BAD, _INDENT + _depth(text)) for text in _lines(needs.verdict.failure))
    for text in (*needs.verdict.warnings, *_notes(report["requirements"])):
        yield Line(text, Tone.DOUBTFUL, indent=_INDENT)
    if needs.dependents:
        rows = [(each.extension, each.requirement, ", ".join(each.also)) for each in needs.dependents]
        yield Line()
        yield Line("Needed by", Tone.STRONG)
        yield Table(("EXTENSION", "REQUIRES", "ALSO MET BY"), rows)
    if report["manifests"]:
        yield Line()
        yield Line("To apply, with a namespace and an account of your own", Tone.STRONG)
        for number, manifest in enumerate(report["manifests"]):
            yield from _yaml(manifest, is_first=not number)


def _row(requirement: Mapping[str, Any], *, is_known: bool) -> Sequence[Cell | str]:
    by = ", ".join(requirement["satisfiedBy"])
    what = requirement["expression"] or "; ".join(requirement["errors"])
    if requirement["errors"]:
        return (Cell("invalid", Tone.BAD), what, "")
    if requirement["satisfied"]:
        return (Cell("met", Tone.GOOD), what, by)
    return (Cell("unmet", Tone.BAD) if is_known else Cell("?", Tone.DOUBTFUL), what, "")


def _notes(requirements: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for each in requirements:
        yield from each["remarks"]
        if each["classic"]["note"]:
            yield f"{each['source']}: {each['classic']['note']}"


def _yaml(manifest: Mapping[str, Any], *, is_first: bool) -> Iterator[Block]:
    if not is_first:
        yield Line("---", indent=_INDENT)
    for text in dump_yaml(manifest).splitlines():
        yield Line(text.strip(), indent=_INDENT + _depth(text))


def _lines(failure: Exception) -> list[str]:
    return str(failure).splitlines()


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())
