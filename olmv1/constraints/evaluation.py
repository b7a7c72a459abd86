"""Whether requirements are met by a set of bundles and a cluster, with every part that is not.

The documented meaning of compounds: each part may be met by a different bundle. Rule: dependencies.md 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from olmv1.constraints.facts import Facts, Provider, readable
from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    Compound,
    KubernetesRequired,
    LabelRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.constraints.requirements import Requirement
from olmv1.constraints.rules import LIBRARY, Rules
from olmv1.versions import quoted

__all__ = ["BY_CLUSTER", "Evaluation", "Finding", "Judgement", "evaluate"]

BY_CLUSTER = "the cluster"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one predicate.

    `by` names who satisfies it, sorted. `found` says what is there instead of what a leaf asks for. `remarks` are the
    errors of rules, one per bundle. `invalid` says why a rule is none; `parts` are those of a compound, in order.
    """

    predicate: Predicate
    is_met: bool
    by: tuple[str, ...] = ()
    found: str = ""
    remarks: tuple[str, ...] = ()
    invalid: str = ""
    parts: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """One requirement and what was found; `finding` is `None` when the requirement is invalid as it is written."""

    requirement: Requirement
    finding: Finding | None

    @property
    def errors(self) -> tuple[str, ...]:
        """Why it is invalid, in whole sentences; empty when it is valid."""
        if self.finding is None:
            return (self.requirement.error,)
        return tuple(f"invalid dependency: {self.requirement.source}{error}" for error in _invalid(self.finding, ""))

    @property
    def is_met(self) -> bool:
        """Whether it is valid and satisfied."""
        return self.finding is not None and self.finding.is_met and not self.errors


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The judgement of every requirement, in the order of the requirements."""

    judgements: tuple[Judgement, ...]

    @property
    def is_met(self) -> bool:
        """Whether every requirement is valid and satisfied."""
        return all(each.is_met for each in self.judgements)

    @property
    def invalid(self) -> tuple[str, ...]:
        """A sentence for everything that is invalid."""
        return tuple(error for each in self.judgements for error in each.errors)

    @property
    def unmet(self) -> tuple[Judgement, ...]:
        """The valid requirements that are not satisfied."""
        return tuple(each for each in self.judgements if not each.is_met and not each.errors)


def evaluate(requirements: Iterable[Requirement], facts: Facts, rules: Rules = LIBRARY) -> Evaluation:
    """What holds of `requirements` in the state `facts`; every part is looked at, also after the first unmet one."""
    judge = _Judge(facts, rules)
    return Evaluation(
        tuple(
            Judgement(each, None if each.predicate is None else judge.finding(each.predicate)) for each in requirements
        )
    )


@dataclass(frozen=True, slots=True)
class _Judge:
    """Looks predicates up in one state."""

    facts: Facts
    rules: Rules

    def finding(self, predicate: Predicate) -> Finding:
        """What was found about a predicate."""
        match predicate:
            case PackageRequired():
                return self._package(predicate)
            case ApiRequired():
                return self._api(predicate)
            case LabelRequired():
                return self._label(predicate)
            case RuleRequired():
                return self._rule(predicate)
            case KubernetesRequired():
                return self._kubernetes(predicate)
            case AllOf() | AnyOf() | NoneOf():
                return self._compound(predicate)
        assert_never(predicate)

    def _compound(self, predicate: Compound) -> Finding:
        parts = tuple(self.finding(part) for part in predicate.parts)
        met = [part.is_met for part in parts]
        match predicate:
            case AllOf():
                is_met = all(met)
            case AnyOf():
                is_met = any(met)
            case NoneOf():
                is_met = not any(met)
        by = {name for part in parts if part.is_met for name in part.by} if not isinstance(predicate, NoneOf) else set()
        return Finding(predicate, is_met, tuple(sorted(by)) if is_met else (), parts=parts)

    def _package(self, predicate: PackageRequired) -> Finding:
        offered = self.facts.versions_of(predicate.package)
        fitting = [provider for provider, version in offered if _is_in(predicate, version)]
        if fitting:
            return Finding(predicate, is_met=True, by=_names(fitting))
        found = " and ".join(f"{provider.label} has {version or 'no version'}" for provider, version in offered)
        pending = [each for each in self.facts.pending if each.package == predicate.package]
        return Finding(predicate, is_met=False, found=found or _not_yet(pending) or "not installed")

    def _api(self, predicate: ApiRequired) -> Finding:
        by = _names(self.facts.providers_of_api(predicate.api))
        if self.facts.serves(predicate.api):
            by = (*by, BY_CLUSTER)
        if by:
            return Finding(predicate, is_met=True, by=by)
        is_going = predicate.api in self.facts.served.kinds
        found = "no longer provided once this rollout is done" if is_going else "not provided on this cluster"
        return Finding(predicate, is_met=False, found=found + self._unknown_text())

    def _label(self, predicate: LabelRequired) -> Finding:
        by = _names(self.facts.providers_of_label(predicate.label))
        if by:
            return Finding(predicate, is_met=True, by=by)
        return Finding(predicate, is_met=False, found=f"no installed extension has it{self._unknown_text()}")

    def _rule(self, predicate: RuleRequired) -> Finding:
        known = [each for each in self.facts.providers if each.properties is not None]
        ruling = self.rules.decide(predicate.rule, [each.properties or () for each in known])
        if ruling.invalid or ruling.unavailable:
            return Finding(predicate, is_met=False, found=ruling.unavailable, invalid=ruling.invalid)
        by = _names(provider for provider, holds in zip(known, ruling.holds, strict=True) if holds)
        failed = zip(known, ruling.errors, strict=True)
        remarks = tuple(f"{provider.label}: {error}" for provider, error in failed if error)
        text = f"no installed extension satisfies the rule {' '.join(predicate.rule.split())}{self._unknown_text()}"
        return Finding(predicate, is_met=bool(by), by=by, found="" if by else text, remarks=remarks)

    def _kubernetes(self, predicate: KubernetesRequired) -> Finding:
        cluster = readable(self.facts.served.kube_version)
        if cluster is None:  # without a cluster there is nothing to compare with, as in the resolver
            return Finding(predicate, is_met=True)
        # Vendors mark their builds with what reads like a pre-release: 1.28.0-gke.1 is a 1.28.0.
        if cluster.key[:3] >= predicate.minimum.key[:3]:
            return Finding(predicate, is_met=True, by=(BY_CLUSTER,))
        return Finding(predicate, is_met=False, found=f"the cluster has {cluster}")

    def _unknown_text(self) -> str:
        names = sorted(quoted(each.extension) for each in self.facts.unknown)
        return f"; what ClusterExtension {', '.join(names)} provides is not known" if names else ""


def _is_in(predicate: PackageRequired, version: str) -> bool:
    read = readable(version)
    return read is not None and predicate.range.contains(read)


def _names(providers: Iterable[Provider]) -> tuple[str, ...]:
    return tuple(sorted({each.label for each in providers}))


def _not_yet(pending: Sequence[Provider]) -> str:
    return " and ".join(f"{each.label} is not installed yet" for each in pending)


def _invalid(finding: Finding, path: str) -> Iterable[str]:
    """Path and reason of every rule in the finding that is none."""
    if finding.invalid:
        yield f"{path}.cel.rule: {finding.invalid}"
    word = {AllOf: "all", AnyOf: "any", NoneOf: "not"}.get(type(finding.predicate), "")
    for index, part in enumerate(finding.parts):
        yield from _invalid(part, f"{path}.{word}.constraints[{index}]")
