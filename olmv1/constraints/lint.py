"""What an author should know about the requirements of a bundle. Rule: dependencies.md 5 (advice) and 13 row 10.

Called by the linting of catalogs and bundles; nothing here holds a rollout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from olmv1.constraints.predicates import AllOf, AnyOf, NoneOf, PackageRequired, Predicate, RuleRequired
from olmv1.constraints.property import Property
from olmv1.constraints.requirements import requirements_of
from olmv1.constraints.rules import LIBRARY, Rules
from olmv1.constraints.text import text_of
from olmv1.versions import quoted

__all__ = ["lint"]


def lint(properties: Iterable[Property], rules: Rules = LIBRARY) -> Iterator[str]:
    """A sentence for everything that is invalid, that OLM Classic reads otherwise, or that tends to lock users in."""
    for requirement in requirements_of(properties):
        if requirement.predicate is None:
            yield requirement.error
            continue
        if isinstance(requirement.predicate, NoneOf):
            yield (
                f'{requirement.source}: a "not" that stands alone is met by any unrelated bundle in OLM Classic: '
                'put it inside an "all"'
            )
        for part in _parts(requirement.predicate):
            yield from (f"{requirement.source}: {sentence}" for sentence in _on(part, rules))


def _on(part: Predicate, rules: Rules) -> Iterator[str]:
    match part:
        case PackageRequired():
            if part.is_spelled_name:
                name = quoted(part.package)
                yield f'OLM Classic refuses "name" in the constraint on package {name}: use "packageName"'
            intervals = part.range.intervals
            if not intervals:
                yield f"{text_of(part)}: no version is in that range"
            elif not intervals[-1].endswith("∞)"):
                yield f"{text_of(part)}: newer versions are excluded, so its users cannot update"
        case RuleRequired():
            invalid = rules.decide(part.rule, ()).invalid
            if invalid:
                yield f"invalid rule {quoted(part.rule)}: {invalid}"


def _parts(predicate: Predicate) -> Iterator[Predicate]:
    yield predicate
    if isinstance(predicate, AllOf | AnyOf | NoneOf):
        for part in predicate.parts:
            yield from _parts(part)
