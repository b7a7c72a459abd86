"""Where an extension can go: by itself, step by step along a route, or after a change of what it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from olm_cli.output import Block, Cell, Line, Table, Tone
from operator_controller.explanation import Explanation, HopsEnd, Route, Step

__all__ = ["alternative_section", "hop_section", "route_section", "successor_section"]

_FEW = 12
_FIRST, _LAST = 8, 2


def hop_section(found: Explanation, *, is_whole: bool) -> Iterator[Block]:
    """The upgrades that follow by themselves, this one included."""
    hops = found.decision.hops
    if not hops.steps:
        return
    yield from _steps(hops.steps, is_whole=is_whole)
    if hops.end is HopsEnd.REPEATED:
        yield Line("then it goes round in a circle", Tone.BAD, indent=2)
    elif hops.end is HopsEnd.REFUSED:
        yield Line(f"then it is refused: {hops.message}", Tone.DOUBTFUL, indent=2)


def route_section(found: Explanation, *, is_whole: bool) -> Iterator[Block]:
    """The route of a refused request, or one that is shorter than what happens by itself."""
    route = found.route
    if route is None:
        return
    if not route.reaches_wanted:
        text = f"no edges of the channels that count lead from what is installed to {route.wanted}"
        yield Line(text, Tone.DOUBTFUL, indent=2)
    if not route.steps or _is_walked(found, route):
        return
    if not route.reaches_wanted:
        yield Line(f"the best that fits and can be reached is {route.reached}:", indent=2)
    yield from _steps(route.steps, is_whole=is_whole)
    yield Line(_how(route), Tone.BAD if route.refusal else Tone.GOOD, indent=2)


def _is_walked(found: Explanation, route: Route) -> bool:
    """Whether the next upgrades are the route, or one of the same length."""
    hops = found.decision.hops
    return hops.last == route.reached and len(hops.steps) <= len(route.steps)


def _how(route: Route) -> str:
    if route.refusal:
        return f"a step of it is refused all the same: {route.refusal}"
    if route.by_itself is not None:
        version = f'version: "{route.by_itself}"' if route.by_itself else "no version"
        return f"with {version} in spec.source.catalog the controller walks there by itself"
    first = f'version: "{route.steps[0].pin}"'
    return f"ask for one step after the other in spec.source.catalog, the next when one is installed: first {first}"


def alternative_section(found: Explanation) -> Iterator[Block]:
    """What helps a refused request."""
    if not found.alternatives:
        return
    rows: list[list[Cell | str]] = [
        [each.change, each.version, each.bundle, each.catalog, _effect(each.steps), Cell(each.caution, Tone.DOUBTFUL)]
        for each in found.alternatives
    ]
    yield Table(["CHANGE", "GIVES", "BUNDLE", "CATALOG", "HOW", "CAUTION"], rows)


def _effect(steps: int) -> str:
    if not steps:
        return "stays"
    return "at once" if steps == 1 else f"{steps} steps"


_STREAMS = {"z": "z (patch)", "y": "y (minor)", "x": "x (major)"}


def successor_section(found: Explanation) -> Iterator[Block]:
    """The best step within the minor version, within the major version, and beyond."""
    if not found.successors:
        return
    rows: list[list[Cell | str]] = [
        [
            _STREAMS[each.stream],
            each.step.pin,
            each.step.bundle,
            str(each.step.edge or "no edge"),
            Cell("" if each.is_wanted else "outside the version range", Tone.DOUBTFUL),
        ]
        for each in found.successors
    ]
    yield Table(["STREAM", "VERSION", "BUNDLE", "EDGE", "REMARK"], rows)


def _steps(steps: Sequence[Step], *, is_whole: bool) -> Iterator[Block]:
    has_several = len({step.catalog for step in steps}) > 1
    numbered = list(enumerate(steps, 1))
    is_cut = not is_whole and len(numbered) > _FEW
    shown = [*numbered[:_FIRST], *numbered[-_LAST:]] if is_cut else numbered
    rows = [_step_row(number, step, has_several=has_several) for number, step in shown]
    if is_cut:
        rows.insert(_FIRST, ["…", "", "", "", "", f"{len(numbered) - _FIRST - _LAST} more: --all"])
    yield Table(["STEP", "VERSION", "BUNDLE", "CATALOG", "EDGE", "REMARK"], rows)


def _step_row(number: int, step: Step, *, has_several: bool) -> list[Cell | str]:
    remarks = ["deprecated"] if step.is_deprecated else []
    if step.is_major:
        remarks.append("crosses a major version")
    edge = "" if step.edge is None else str(step.edge)
    return [str(number), step.pin, step.bundle, step.catalog if has_several else "", edge, "; ".join(remarks)]
