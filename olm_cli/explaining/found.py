"""What was looked at: catalogs with what every rule left of them, and the bundles nearest to being chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from olm_cli.output import Block, Cell, Line, Table, Tone
from operator_controller.explanation import CandidateReport, CatalogReport, EdgeView, Explanation

__all__ = ["candidate_section", "catalog_section"]

_FEW = 10
_RULES = {"no upgrade edge": "upgrade edge", "version: pre-release": "version"}
"""What dropped a bundle, in the words of the resolver's rules where a report has others."""


def catalog_section(found: Explanation) -> Iterator[Block]:
    """One row for each catalog, then the skipRanges that nobody can read."""
    if not found.catalogs:
        return
    rules = list(dict.fromkeys(rule.name for each in found.catalogs for rule in each.filters))
    titles = ["CATALOG", "PRIORITY", "STATE", "BUNDLES", *(f"AFTER {rule.upper()}" for rule in rules), "OFFER"]
    yield Table(titles, [_catalog_row(each, rules) for each in found.catalogs])
    for text in found.decision.settled_by:
        yield Line(text, indent=2)
    for each in found.catalogs:
        for bad in each.invalid_skip_ranges:
            text = f'catalog {each.name}: skipRange "{bad.text}" of {bad.entry} in channel {bad.channel} is ignored: '
            yield Line(text + bad.message, Tone.DOUBTFUL, indent=2)


def _catalog_row(catalog: CatalogReport, rules: Sequence[str]) -> list[Cell | str]:
    left = {rule.name: str(rule.left) for rule in catalog.filters}
    is_used = catalog.state == "used"
    state = Cell(f"{catalog.state}: {catalog.message}" if catalog.message else catalog.state)
    return [
        catalog.name,
        str(catalog.priority),
        state if is_used else Cell(state.text, Tone.DOUBTFUL),
        str(catalog.bundles) if is_used else "",
        *(left.get(rule, "") for rule in rules),
        Cell(catalog.offer or "", Tone.GOOD),
    ]


def candidate_section(found: Explanation, *, is_whole: bool) -> Iterator[Block]:
    """The bundles that got furthest, in the order of versions; all of them when asked for."""
    shown = found.candidates if is_whole else _nearest(found)
    if not shown:
        return
    has_several = len({each.catalog for each in found.candidates}) > 1
    chosen = found.decision.chosen
    rows: list[list[Cell | str]] = [
        [
            Cell(_version(each), Tone.GOOD if chosen is not None and each.bundle == chosen.bundle else Tone.PLAIN),
            each.bundle,
            each.catalog if has_several else "",
            ", ".join(each.channels) or "none",
            _edges(each.edges),
            _remark(each),
            Cell(each.dropped_by, Tone.DOUBTFUL),
            Cell(each.reason, Tone.FAINT),
        ]
        for each in shown
    ]
    titles = ["VERSION", "BUNDLE", "CATALOG", "CHANNELS", "EDGE FROM INSTALLED", "REMARK", "DROPPED BY", "WHY"]
    yield Table(titles, rows)
    more = len(found.candidates) - len(shown)
    if more:
        yield Line(f"and {more} more: show them with --all", Tone.FAINT, indent=2)


def _nearest(found: Explanation) -> Sequence[CandidateReport]:
    """The bundles that got furthest, then those with an edge from the installed one, then the highest versions."""
    order = {each.name: [rule.name for rule in each.filters] for each in found.catalogs}

    def distance(report: CandidateReport) -> tuple[bool, int]:
        rules, rule = order[report.catalog], _RULES.get(report.dropped_by, report.dropped_by)
        return bool(rule), -(rules.index(rule) if rule in rules else len(rules))

    furthest = sorted(found.candidates, key=distance)
    ranked = [*furthest[: _FEW // 2], *(each for each in found.candidates if each.edges), *furthest]
    nearest = list({id(each): each for each in ranked})[:_FEW]
    return [each for each in found.candidates if id(each) in nearest]


def _edges(edges: Sequence[EdgeView]) -> str:
    """`replaces in fast, stable; skipRange "<2.0.0" in fast`"""
    channels: dict[str, list[str]] = {}
    for edge in edges:
        what = f'{edge.kind} "{edge.skip_range}"' if edge.skip_range else str(edge.kind)
        channels.setdefault(what, []).append(edge.channel)
    return "; ".join(f"{what} in {', '.join(dict.fromkeys(found))}" for what, found in channels.items())


def _version(report: CandidateReport) -> str:
    return f"{report.version}+{report.release}" if report.release else report.version


def _remark(report: CandidateReport) -> Cell:
    remarks = ["deprecated"] if report.deprecated else []
    if report.skipped_in:
        remarks.append(f"skipped in {', '.join(report.skipped_in)}")
    return Cell("; ".join(remarks), Tone.DOUBTFUL)
