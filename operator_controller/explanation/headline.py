"""An explanation in one or two sentences, for an Event and for the first line of a report."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.versions import quoted
from operator_controller.explanation.alternative import Alternative
from operator_controller.explanation.explanation import Explanation
from operator_controller.explanation.hops import HopsEnd
from operator_controller.explanation.route import Route
from operator_controller.explanation.step import Step

__all__ = ["HEADLINE_LIMIT", "headline"]

HEADLINE_LIMIT = 1000
"""Characters: the API server takes 1,024 in the note of an Event."""


def headline(explanation: Explanation) -> str:
    """What was decided and why, and what a person could do about it; the same for equal explanations."""
    text = " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in _sentences(explanation))
    return text if len(text) <= HEADLINE_LIMIT else f"{text[: HEADLINE_LIMIT - 1]}…"


def _sentences(found: Explanation) -> Iterator[str]:
    if found.cause is not None:
        yield found.cause.message
        yield from _way_out(found)
        return
    decision, installed = found.decision, found.request.installed
    if decision.chosen is None:
        yield f"the extension stays on the installed {quoted(installed.name if installed else '')}: {_held(found)}"
        return
    yield _chosen(decision.chosen, is_first=installed is None)
    later = decision.hops.steps[1:]
    if later and decision.hops.end is HopsEnd.REPEATED:
        yield f"from there upgrades go round in a circle: {_listed(later)}"
    elif later:
        yield f"from there it goes on by itself to {_listed(later)}"


def _held(found: Explanation) -> str:
    outside = [each.step.pin for each in found.successors if not each.is_wanted]
    if outside:
        return f"successors of it are outside the version range: {', '.join(outside)}"
    deprecated = [each.step.pin for each in found.successors if each.step.is_deprecated]
    if deprecated:
        return f"its successors are deprecated: {', '.join(deprecated)}"
    return "it fits, and no better bundle is a successor of it"


def _chosen(step: Step, *, is_first: bool) -> str:
    text = f"{quoted(step.bundle)} of catalog {step.catalog} is chosen"
    if is_first:
        return f"{text} as the best bundle that fits"
    if step.edge is None:
        return f"{text} without an upgrade edge, as SelfCertified allows"
    return f"{text}: a successor by {step.edge}"


def _way_out(found: Explanation) -> Iterator[str]:
    route = found.route
    if route is not None and route.steps and not route.refusal:
        yield _route(route)
    elif found.alternatives:
        yield _alternative(found.alternatives[0])


def _route(route: Route) -> str:
    end = route.steps[-1].pin
    count = f"{len(route.steps)} step{'s' if len(route.steps) > 1 else ''}"
    text = f"version {quoted(end)} can be reached in {count}: {_listed(route.steps)}"
    if route.by_itself is None:
        return f"{text}; ask for one after the other"
    how = f"version {quoted(route.by_itself)}" if route.by_itself else "no version"
    return f"{text}; with {how} in the request the controller takes them by itself"


def _alternative(alternative: Alternative) -> str:
    if not alternative.steps:
        return f"what helps: {alternative.change}, then the extension stays on {quoted(alternative.bundle)}"
    count = f" in {alternative.steps} steps" if alternative.steps > 1 else ""
    caution = f" ({alternative.caution})" if alternative.caution else ""
    return f"what helps: {alternative.change}, then the extension gets {quoted(alternative.bundle)}{count}{caution}"


_SHOWN = 6


def _listed(steps: tuple[Step, ...]) -> str:
    """`1.0.0, 1.1.0, … (9 more), 3.0.0`"""
    pins = [step.pin for step in steps]
    if len(pins) <= _SHOWN:
        return ", ".join(pins)
    return ", ".join([*pins[: _SHOWN - 2], f"… ({len(pins) - _SHOWN + 1} more)", pins[-1]])
