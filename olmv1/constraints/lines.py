"""An unmet requirement as the lines of a message: one per part, two blanks per level. Rule: dependencies.md 10."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from olmv1.constraints.evaluation import Finding
from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    KubernetesRequired,
    Leaf,
    NoneOf,
    RuleRequired,
)
from olmv1.constraints.text import text_of

__all__ = ["Advice", "lines_of", "no_advice"]

Advice = Callable[[Leaf], str]
"""What would satisfy an unmet leaf, as the rest of its brackets: `; package "green" 0.9.0 in … provides it`."""


def no_advice(_: Leaf) -> str:
    """Nothing is known that would help."""
    return ""


def lines_of(finding: Finding, advice: Advice = no_advice, indent: str = "") -> Iterator[str]:
    """The lines about everything in `finding` that is not met; nothing when it is met.

    The failure message of a part leads its line. The parts of an `all` without one stand where the `all` would.
    """
    if finding.is_met:
        return
    predicate = finding.predicate
    message = predicate.failure_message
    match predicate:
        case AllOf():
            unmet = [part for part in finding.parts if not part.is_met]
            if message:
                yield f"{indent}- {message}"
                indent += "  "
            for part in unmet:
                yield from lines_of(part, advice, indent)
        case AnyOf():
            yield f"{indent}- {_led(message, 'one of:')}"
            for part in finding.parts:
                yield from _alternative(part, advice, f"{indent}  ")
        case NoneOf():
            for part in finding.parts:
                if part.is_met:
                    yield f"{indent}- {_led(message, _violation(part))}"
        case _:
            yield f"{indent}- {_leaf(finding, predicate, advice)}"


def _alternative(part: Finding, advice: Advice, indent: str) -> Iterator[str]:
    """One part of an `any`: what belongs together stays together."""
    is_group = isinstance(part.predicate, AllOf) and not part.predicate.failure_message
    if is_group and sum(not inner.is_met for inner in part.parts) > 1:
        yield f"{indent}- all of:"
        indent += "  "
    yield from lines_of(part, advice, indent)


def _leaf(finding: Finding, leaf: Leaf, advice: Advice) -> str:
    match leaf:
        case KubernetesRequired():
            return _led(leaf.failure_message, f"{text_of(leaf)} is required, {finding.found}")
        case RuleRequired():
            return f"{leaf.failure_message or text_of(leaf)} ({finding.found}{advice(leaf)})"
    return _led(leaf.failure_message, f"{text_of(leaf)} ({finding.found}{advice(leaf)})")


def _violation(part: Finding) -> str:
    what = _led(part.predicate.failure_message, f"must not be present: {text_of(part.predicate)}")
    return f"{what} (provided by {', '.join(part.by)})" if part.by else what


def _led(message: str, text: str) -> str:
    return f"{message}: {text}" if message else text
