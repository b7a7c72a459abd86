"""May the cluster be upgraded, for people: a headline, a table, then what needs a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from olm_cli.output import Block, Cell, Line, Table, Tone
from operator_controller.explanation import Step
from operator_controller.upgrade_plan import Answer, ExtensionPlan, UpgradePlan, WayOut

__all__ = ["blocks_of"]

_TONES = {Answer.OK: Tone.GOOD, Answer.BLOCKED: Tone.BAD, Answer.UNKNOWN: Tone.DOUBTFUL}
_INVALID = "InvalidMaxOpenShiftVersion"


def blocks_of(plan: UpgradePlan) -> Iterator[Block]:
    """The answer, every extension by name, and the way out of every block."""
    yield Line(_headline(plan), _TONES[plan.answer])
    if plan.extensions:
        yield Line()
        yield Table(["EXTENSION", "BUNDLE", "MAX", "VERDICT", "HINT"], [_row(each) for each in plan.extensions])
    for each in plan.extensions:
        remarks = list(_remarks(each))
        if remarks:
            yield Line()
            yield Line(each.name, Tone.STRONG)
            yield from remarks


def _headline(plan: UpgradePlan) -> str:
    goal, count = plan.goal, len(plan.extensions)
    way = f"{goal.platform} {goal.current} to {goal.target}" if goal.current else f"{goal.platform} {goal.target}"
    many = f"{count} extension{'' if count == 1 else 's'}"
    match plan.answer:
        case Answer.BLOCKED:
            return f"{way}: blocked by {len(plan.blocking)} of {many}"
        case Answer.UNKNOWN:
            unknown = sum(each.verdict is Answer.UNKNOWN for each in plan.extensions)
            return f"{way}: cannot tell, because {unknown} of {many} cannot be judged"
    return f"{way}: may be upgraded, {many} agree{'s' if count == 1 else ''}" if count else f"{way}: may be upgraded"


def _row(found: ExtensionPlan) -> list[Cell | str]:
    text = "INVALID" if found.reason == _INVALID else found.verdict.value
    shown = text if found.verdict is Answer.OK else text.upper()
    return [found.name, found.bundle or "-", found.max or "-", Cell(shown, _TONES[found.verdict]), _hint(found)]


def _hint(found: ExtensionPlan) -> str:
    if found.verdict is Answer.BLOCKED:
        return "remove it" if found.way_out is None else f"upgrade to {found.way_out.version}, or remove it"
    count = len(found.advisories)
    return f"{count} {'advisory' if count == 1 else 'advisories'}" if count else ""


def _remarks(found: ExtensionPlan) -> Iterator[Block]:
    if found.verdict is not Answer.OK:
        for line in found.message.split("\n"):
            yield Line(line, _TONES[found.verdict], indent=2)
    if found.way_out is not None:
        yield from _way(found.way_out)
    if found.verdict is Answer.BLOCKED:
        if found.obstacle:
            yield Line(f"no way out by an upgrade: {found.obstacle}", Tone.DOUBTFUL, indent=2)
        yield Line(f"or remove it: kubectl delete clusterextension {found.name}", indent=2)
    for advisory in found.advisories:
        yield Line(f"advisory: {advisory.message}", Tone.DOUBTFUL, indent=2)
    for text in found.unchecked if found.verdict is Answer.OK else ():
        yield Line(f"not checked: {text}", Tone.FAINT, indent=2)
    for text in found.warnings:
        yield Line(f"warning: {text}", Tone.DOUBTFUL, indent=2)


def _way(way: WayOut) -> Iterator[Block]:
    up_to = f"supports up to {way.max}" if way.max else "declares no maximum"
    channel = f", channel {way.channel}" if way.channel else ""
    yield Line(f"way out: {way.bundle} ({up_to}) of catalog {way.catalog}{channel}", Tone.GOOD, indent=2)
    if len(way.steps) > 1:
        yield Table(["STEP", "VERSION", "BUNDLE", "CATALOG", "EDGE"], [*map(_step, range(1, 99), way.steps)])
    for change in way.changes:
        yield Line(change.text, indent=2)
    if not way.changes:
        yield Line("the controller upgrades it by itself, nothing needs to be changed", indent=2)
    elif way.by_itself and len(way.steps) > 1:
        yield Line("the controller then walks there by itself", indent=2)
    if way.ends_at:
        yield Line(f"it goes on to {way.ends_at}", indent=2)


def _step(number: int, step: Step) -> list[Cell | str]:
    remark = "no edge" if step.edge is None else str(step.edge)
    return [str(number), step.pin, step.bundle, step.catalog, remark]
