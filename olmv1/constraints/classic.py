"""What OLM Classic would make of a requirement, for explanations only: it never changes a decision.

Classic builds one predicate that a single bundle must satisfy as a whole, and counts bundles only.
Rule: dependencies.md 3 and 7.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from olmv1.constraints.compounds import MAX_SIZE_BYTES, constraint_of
from olmv1.constraints.evaluation import BY_CLUSTER, Judgement
from olmv1.constraints.facts import Facts, Index, Provider
from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    KubernetesRequired,
    LabelRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.constraints.reading import InvalidConstraint, size_bytes
from olmv1.constraints.rules import LIBRARY, Rules
from olmv1.versions import SkipRange, Version, quoted

__all__ = ["Classic", "ClassicResult", "classic_of"]


class ClassicResult(StrEnum):
    """How a resolution of OLM Classic would go on."""

    MET = "met"
    UNMET = "unmet"
    ERROR = "error"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Classic:
    """What OLM Classic would say, and why it differs from our answer; `note` is empty when it does not."""

    result: ClassicResult
    note: str = ""


def classic_of(judgement: Judgement, facts: Facts, rules: Rules = LIBRARY) -> Classic:
    """What OLM Classic would make of the requirement, in the same state of the cluster."""
    requirement, predicate = judgement.requirement, judgement.requirement.predicate
    if requirement.source.startswith("olm.constraint"):
        error = _parse_error(requirement.value)
        if error:
            note = f"OLM Classic would fail the whole namespace: {error}"
            return Classic(ClassicResult.ERROR, note)
        if predicate is None:
            return _unsaid(requirement.value, facts, rules)
    if predicate is None or judgement.errors:
        return Classic(ClassicResult.ERROR)
    if isinstance(predicate, KubernetesRequired):
        return Classic(ClassicResult.IGNORED, "OLM Classic would ignore the property olm.kubeversion")
    alone = [each for each in facts.providers if _Single(each, rules).holds(predicate)]
    if bool(alone) == judgement.is_met:
        return Classic(ClassicResult.MET if alone else ClassicResult.UNMET)
    return _difference(judgement, alone)


def _difference(judgement: Judgement, alone: list[Provider]) -> Classic:
    if alone:
        name = sorted(each.label for each in alone)[0]
        note = f"OLM Classic would accept it because {name} alone satisfies the whole constraint"
        return Classic(ClassicResult.MET, note)
    by = judgement.finding.by if judgement.finding else ()
    if isinstance(judgement.requirement.predicate, ApiRequired) and by == (BY_CLUSTER,):
        note = "OLM Classic would not accept it because it counts only APIs that an installed bundle provides"
        return Classic(ClassicResult.UNMET, note)
    return Classic(
        ClassicResult.UNMET, "OLM Classic would not accept it because no single bundle satisfies the whole constraint"
    )


def _unsaid(value: object, facts: Facts, rules: Rules) -> Classic:
    """What Classic makes of a constraint that is invalid here and parses there."""
    if not isinstance(value, Mapping):
        return Classic(ClassicResult.ERROR)
    kinds = [key for key in _KINDS if key in value]
    if not kinds:
        return Classic(ClassicResult.ERROR, "OLM Classic would fail the whole namespace: constraint is empty")
    if len(kinds) > 1:
        return _first_kind(kinds[0], value[kinds[0]], facts, rules)
    if kinds[0] in _EMPTY:
        result, words = _EMPTY[kinds[0]]
        return Classic(result, f"OLM Classic would take an empty {quoted(kinds[0])} as {words}")
    return Classic(ClassicResult.ERROR)


def _first_kind(kind: str, value: object, facts: Facts, rules: Rules) -> Classic:
    try:
        predicate = constraint_of({kind: value})
    except InvalidConstraint:
        return Classic(ClassicResult.ERROR)
    is_met = any(_Single(each, rules).holds(predicate) for each in facts.providers)
    result = ClassicResult.MET if is_met else ClassicResult.UNMET
    return Classic(result, f"OLM Classic would look at {quoted(kind)} only")


_KINDS = ("gvk", "package", "all", "any", "not", "cel")
_EMPTY = {
    "all": (ClassicResult.MET, "satisfied by every bundle"),
    "any": (ClassicResult.UNMET, "satisfied by none"),
    "not": (ClassicResult.MET, "satisfied by every bundle"),
}
_KEYS: Mapping[str, frozenset[str]] = {
    "gvk": frozenset({"group", "version", "kind"}),
    "package": frozenset({"packagename", "versionrange"}),
    "cel": frozenset({"rule"}),
    "all": frozenset({"constraints"}),
    "any": frozenset({"constraints"}),
    "not": frozenset({"constraints"}),
}


def _parse_error(value: object) -> str:
    """The error of Classic's parser: size and unknown keys, at any level; empty when it has none."""
    if size_bytes(value, MAX_SIZE_BYTES) > MAX_SIZE_BYTES:
        return f"olm.constraint value is greater than max constraint size {MAX_SIZE_BYTES} bytes"
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Mapping):
            continue
        for key, inner in item.items():
            known = _KEYS.get(str(key).casefold())
            if known is None and str(key).casefold() != "failuremessage":
                return f"json: unknown field {quoted(str(key))}"
            members = inner if isinstance(inner, Mapping) else {}
            for name, member in members.items():
                if known is not None and str(name).casefold() not in known:
                    return f"json: unknown field {quoted(str(name))}"
                waiting += member if isinstance(member, list) else []
    return ""


@dataclass(frozen=True, slots=True)
class _Single:
    """One bundle against a whole predicate."""

    provider: Provider
    rules: Rules

    def holds(self, predicate: Predicate) -> bool:
        """Whether this bundle alone satisfies the predicate."""
        alone = Index((self.provider,))
        match predicate:
            case PackageRequired():
                return any(_is_in(predicate.range, version) for _, version in alone.packages.get(predicate.package, ()))
            case ApiRequired():
                return predicate.api in alone.apis
            case LabelRequired():
                return predicate.label in alone.labels
            case RuleRequired():
                return any(self.rules.decide(predicate.rule, [self.provider.properties or ()]).holds)
            case KubernetesRequired():
                return True
            case AllOf():
                return all(self.holds(part) for part in predicate.parts)
            case AnyOf():
                return any(self.holds(part) for part in predicate.parts)
            case NoneOf():
                return not any(self.holds(part) for part in predicate.parts)
        assert_never(predicate)


def _is_in(admitted: SkipRange, version: str) -> bool:
    try:
        return admitted.contains(Version.parse(version))
    except ValueError:
        return False
