"""The answer of the check, and its words. Rule: dependencies.md 6, 8 and 10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from olmv1.conditions import Condition
from olmv1.constraints import Evaluation, PackageRequired, lines_of
from olmv1.errors import TerminalError
from olmv1.versions import quoted
from operator_controller.dependencies.advice import advice_on
from operator_controller.dependencies.breaks import Break
from operator_controller.dependencies.facts import Candidate, ClusterFacts
from operator_controller.dependencies.leaves import unmet_leaves

__all__ = ["DependencyVerdict", "break_lines", "requirement_text", "wanted_packages"]

_ADVISED: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class DependencyVerdict:
    """What the check found.

    `failure`: the rollout is held; its text is the message of `Progressing`. `condition`: `DependenciesSatisfied`,
    `None` when neither bundle requires anything. `warnings`: sentences for Events. `is_held_for_requirements`: hand the
    candidate to the checks of other extensions as one of `ClusterFacts.held`. `wanted_packages`: packages whose
    catalogs' content would make the advice better. `evaluation`: the requirements of the candidate, for explanations.
    """

    failure: TerminalError | None = None
    condition: Condition | None = None
    warnings: tuple[str, ...] = ()
    is_held_for_requirements: bool = False
    wanted_packages: frozenset[str] = frozenset()
    breaks: tuple[Break, ...] = ()
    companions: tuple[Candidate, ...] = ()
    evaluation: Evaluation = field(default_factory=lambda: Evaluation(()))


def requirement_text(candidate: Candidate, evaluation: Evaluation, cluster: ClusterFacts) -> str:
    """The lines about every invalid and unmet requirement, without a head; empty when all are met.

    Ways out are looked for behind the first leaves only: nobody reads more, and each costs a search of the catalogs.
    """
    lines = [f"- {sentence}" for sentence in evaluation.invalid]
    leaves = [leaf for each in evaluation.unmet if each.finding for leaf in unmet_leaves(each.finding)]
    known = {leaf: advice_on(leaf, candidate, cluster) for leaf in list(dict.fromkeys(leaves))[:_ADVISED]}
    for judgement in evaluation.unmet:
        if judgement.finding is not None:
            lines += lines_of(judgement.finding, lambda leaf: known.get(leaf, ""))
    return "\n".join(dict.fromkeys(lines))


def break_lines(candidate: Candidate, breaks: Sequence[Break]) -> tuple[str, ...]:
    """`bundle "b.v2" would break ClusterExtension "a": bundle "a.v1" requires API …`, one per break."""
    return tuple(f"bundle {quoted(candidate.bundle)} would break {each.text}" for each in breaks)


def wanted_packages(evaluation: Evaluation) -> frozenset[str]:
    """The packages that unmet leaves name."""
    leaves = (leaf for each in evaluation.unmet if each.finding for leaf in unmet_leaves(each.finding))
    return frozenset(leaf.package for leaf in leaves if isinstance(leaf, PackageRequired))
