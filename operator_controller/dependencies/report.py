"""The structured form of a check, for `olm explain -o json`. Rule: dependencies.md 10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from olmv1.constraints import (
    AllOf,
    AnyOf,
    ApiRequired,
    Judgement,
    KubernetesRequired,
    LabelRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
    classic_of,
    evaluate,
    text_of,
)
from olmv1.versions import quoted
from operator_controller.dependencies.advice import manifests_for
from operator_controller.dependencies.alternatives import Alternative, alternatives_to
from operator_controller.dependencies.facts import Candidate, ClusterFacts
from operator_controller.dependencies.leaves import unmet_leaves
from operator_controller.dependencies.verdict import DependencyVerdict
from operator_controller.dependencies.worlds import world_now, world_of_candidate

__all__ = ["Dependent", "dependents_of", "report_of"]

_KINDS: dict[type, str] = {
    PackageRequired: "package",
    ApiRequired: "gvk",
    LabelRequired: "label",
    RuleRequired: "cel",
    KubernetesRequired: "kubernetes",
    AllOf: "all",
    AnyOf: "any",
    NoneOf: "not",
}


def report_of(verdict: DependencyVerdict, candidate: Candidate, cluster: ClusterFacts) -> dict[str, Any]:
    """`requirements[]`, `breaks[]`, `deadlock[]` and `manifests[]` as plain values."""
    world = world_of_candidate(cluster, candidate)
    requirements, first = [], list[Alternative]()
    for judgement in verdict.evaluation.judgements:
        ways = _ways(judgement, candidate, cluster)
        first += [way[0] for way in ways if way]
        classic = classic_of(judgement, world, cluster.rules)
        requirements.append(
            {
                **_requirement(judgement),
                "alternatives": [_alternative(each) for way in ways for each in way],
                "classic": {"result": str(classic.result), "note": classic.note},
            }
        )
    return {
        "requirements": requirements,
        "breaks": [{"extension": b.extension, "bundle": b.bundle, "requires": b.requirement} for b in verdict.breaks],
        "deadlock": [{"extension": each.extension, "bundle": each.bundle} for each in verdict.companions],
        "manifests": list(manifests_for(first)),
    }


@dataclass(frozen=True, slots=True)
class Dependent:
    """An installed extension that needs another; `also` names who else satisfies the requirement."""

    extension: str
    bundle: str
    requirement: str
    also: tuple[str, ...]


def dependents_of(extension: str, cluster: ClusterFacts) -> tuple[Dependent, ...]:
    """Who depends on `extension` now and through what, by name."""
    world, found = world_now(cluster), list[Dependent]()
    label = f"ClusterExtension {quoted(extension)}"
    for other, requirements in cluster.extensions.requiring:
        if other.name == extension:
            continue
        for judgement in evaluate(requirements, world, cluster.rules).judgements:
            predicate, finding = judgement.requirement.predicate, judgement.finding
            if predicate is not None and finding is not None and label in finding.by:
                also = tuple(name for name in finding.by if name != label)
                found.append(Dependent(other.name, other.bundle, text_of(predicate), also))
    return tuple(found)


def _ways(judgement: Judgement, candidate: Candidate, cluster: ClusterFacts) -> list[tuple[Alternative, ...]]:
    if judgement.is_met or judgement.finding is None:
        return []
    return [alternatives_to(leaf, candidate, cluster) for leaf in unmet_leaves(judgement.finding)]


def _requirement(judgement: Judgement) -> dict[str, Any]:
    predicate, finding = judgement.requirement.predicate, judgement.finding
    return {
        "source": judgement.requirement.source,
        "kind": "invalid" if predicate is None else _KINDS[type(predicate)],
        "expression": "" if predicate is None else text_of(predicate),
        "failureMessage": _failure_message(predicate),
        "satisfied": judgement.is_met,
        "satisfiedBy": list(finding.by) if finding is not None else [],
        "found": finding.found if finding is not None else "",
        "remarks": list(finding.remarks) if finding is not None else [],
        "errors": list(judgement.errors),
    }


def _failure_message(predicate: Predicate | None) -> str:
    return "" if predicate is None else predicate.failure_message


def _alternative(alternative: Alternative) -> dict[str, Any]:
    return {
        "catalog": alternative.catalog,
        "package": alternative.package,
        "channel": alternative.channel,
        "version": alternative.version,
        "bundle": alternative.bundle,
        "extension": alternative.extension,
        "needsVersion": alternative.needs_version,
        "deprecated": alternative.is_deprecated,
        "needs": [
            {"expression": text_of(need.leaf), "alternatives": [_alternative(each) for each in need.alternatives]}
            for need in alternative.needs
        ],
    }
