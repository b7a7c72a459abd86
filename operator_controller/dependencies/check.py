"""May this bundle be rolled out? The question that the reconciler asks after resolving, and again before applying."""

from __future__ import annotations

from dataclasses import replace

from olmv1.api.names import ANNOTATION_DEPENDENCIES
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition
from olmv1.constraints import Evaluation, evaluate, requirements_of
from olmv1.errors import TerminalError
from olmv1.versions import quoted
from operator_controller.dependencies.breaks import broken_by
from operator_controller.dependencies.deadlocks import companions_of, deadlock_text
from operator_controller.dependencies.facts import Candidate, ClusterFacts
from operator_controller.dependencies.invariants import foreign_crds, second_of_package
from operator_controller.dependencies.mode import Mode
from operator_controller.dependencies.verdict import (
    DependencyVerdict,
    break_lines,
    requirement_text,
    wanted_packages,
)
from operator_controller.dependencies.worlds import world_of_candidate

__all__ = ["check"]


def check(candidate: Candidate, mode: Mode, cluster: ClusterFacts) -> DependencyVerdict:
    """Whether the requirements of the candidate are met and nobody else's broken.

    A candidate that is installed already is never held: its condition alone tells. Two owners of one object hold a
    rollout in every mode.
    """
    blocks, warnings = _invariants(candidate, cluster)
    found = _requirements(candidate, mode, cluster)
    if mode is Mode.CHECK and found.failure is not None:
        blocks = (str(found.failure), *blocks)
    failure = TerminalError("\n".join(blocks)) if blocks and not candidate.is_installed else None
    return replace(found, failure=failure, warnings=(*found.warnings, *warnings))


def _requirements(candidate: Candidate, mode: Mode, cluster: ClusterFacts) -> DependencyVerdict:
    requirements = requirements_of(candidate.properties)
    if mode is Mode.IGNORE:
        return DependencyVerdict(condition=_not_evaluated(candidate) if requirements else None)
    evaluation = Evaluation(())
    if requirements:
        evaluation = evaluate(requirements, world_of_candidate(cluster, candidate), cluster.rules)
    finding = _finding(candidate, evaluation, cluster)
    found = DependencyVerdict(
        condition=_condition(candidate, evaluation, cluster, finding),
        wanted_packages=wanted_packages(evaluation),
        breaks=() if candidate.is_installed else broken_by(candidate, cluster),
        evaluation=evaluation,
    )
    if candidate.is_installed or not (finding or found.breaks):
        return found
    return _held(candidate, mode, cluster, found, finding)


def _held(
    candidate: Candidate, mode: Mode, cluster: ClusterFacts, found: DependencyVerdict, finding: str
) -> DependencyVerdict:
    is_check = mode is Mode.CHECK
    companions = companions_of(candidate, cluster) if is_check and not found.evaluation.invalid else ()
    texts = [f"validating bundle {quoted(candidate.bundle)}: {finding}"] if finding else []
    texts += break_lines(candidate, found.breaks)
    if companions:
        texts.append(deadlock_text(companions))
    message = "\n".join(texts)
    return replace(
        found,
        failure=TerminalError(message) if is_check else None,
        warnings=() if is_check else (message,),
        is_held_for_requirements=is_check,
        companions=companions,
    )


def _invariants(candidate: Candidate, cluster: ClusterFacts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What blocks, and what is only worth a warning."""
    is_blocked, sentence = second_of_package(candidate, cluster)
    blocks = tuple(foreign_crds(candidate, cluster))
    if is_blocked:
        return (*blocks, sentence), ()
    return blocks, (sentence,) if sentence else ()


def _finding(candidate: Candidate, evaluation: Evaluation, cluster: ClusterFacts) -> str:
    """What is wrong: a single invalid requirement on one line, else a line for each part; empty when nothing is."""
    if evaluation.is_met:
        return ""
    if not evaluation.unmet and len(evaluation.invalid) == 1:
        return evaluation.invalid[0]
    word = "unmet dependencies" if evaluation.unmet else "invalid dependencies"
    return f"{word}:\n{requirement_text(candidate, evaluation, cluster)}"


def _condition(candidate: Candidate, evaluation: Evaluation, cluster: ClusterFacts, finding: str) -> Condition | None:
    """`DependenciesSatisfied`; `None` when neither the candidate nor what is installed requires anything."""
    requiring = {each.name for each, _ in cluster.extensions.requiring}
    if not evaluation.judgements and candidate.extension not in requiring:
        return None
    if not finding:
        text = f"all dependencies of bundle {quoted(candidate.bundle)} are satisfied"
        return Condition(ConditionType.DEPENDENCIES_SATISFIED, "True", Reason.SATISFIED, text)
    reason = Reason.INVALID_CONSTRAINT if evaluation.invalid else Reason.UNSATISFIED
    text = f"{'installed ' if candidate.is_installed else ''}bundle {quoted(candidate.bundle)}: {finding}"
    return Condition(ConditionType.DEPENDENCIES_SATISFIED, "False", reason, text)


def _not_evaluated(candidate: Candidate) -> Condition:
    text = (
        f"the dependencies of bundle {quoted(candidate.bundle)} are not evaluated: "
        f'annotation {ANNOTATION_DEPENDENCIES} is "{Mode.IGNORE}"'
    )
    return Condition(ConditionType.DEPENDENCIES_SATISFIED, "Unknown", Reason.NOT_EVALUATED, text)
