"""Extensions that hold each other up, and could only be updated together. Rule: dependencies.md 8.2, decision 12."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from olmv1.api.names import ANNOTATION_DEPENDENCIES
from olmv1.constraints import Facts, evaluate, requirements_of
from olmv1.versions import quoted
from operator_controller.dependencies.breaks import is_anything_broken
from operator_controller.dependencies.facts import Candidate, ClusterFacts
from operator_controller.dependencies.worlds import world_with

__all__ = ["companions_of", "deadlock_text"]

_TRIED_WITHOUT: Final = 16
"""Each that is left out costs a round of checks for each that stays: sixty in one circle took 16 s."""


def companions_of(candidate: Candidate, cluster: ClusterFacts) -> tuple[Candidate, ...]:
    """The held candidates of other extensions without which this one cannot go, by extension; empty: no deadlock.

    As few of them as suffice: whoever can be left out is, unless there are too many to try.
    """
    others = sorted((each for each in cluster.held if each.extension != candidate.extension), key=_name)
    members = _largest([candidate, *others], cluster)
    if candidate not in members:
        return ()
    for other in others if len(members) <= _TRIED_WITHOUT else ():
        fewer = _largest([each for each in members if each is not other], cluster)
        if candidate in fewer:
            members = fewer
    return tuple(each for each in members if each is not candidate)


def deadlock_text(companions: Sequence[Candidate]) -> str:
    """The line of the message, with the way out by hand."""
    names = " and ".join(
        f"ClusterExtension {quoted(each.extension)} (bundle {quoted(each.bundle)})" for each in companions
    )
    return (
        f"can only be updated together with {names}: "
        f'set the annotation {ANNOTATION_DEPENDENCIES} to "Warn" on each of them for the time of the update'
    )


def _largest(members: list[Candidate], cluster: ClusterFacts) -> list[Candidate]:
    """The largest part of `members` that can be put in place at once; each round drops some, so it ends."""
    while members:
        world = world_with(cluster, members)
        staying = [each for each in members if not _is_stuck(each, members, world, cluster)]
        if len(staying) == len(members):
            return [] if _breaks_others(members, world, cluster) else members
        members = staying
    return []


def _is_stuck(candidate: Candidate, members: Sequence[Candidate], world: Facts, cluster: ClusterFacts) -> bool:
    """Whether its requirements are unmet even then, or it is what breaks an installed extension there."""
    if not evaluate(requirements_of(candidate.properties), world, cluster.rules).is_met:
        return True
    if not _breaks_others(members, world, cluster):
        return False
    fewer = [each for each in members if each is not candidate]
    return not _breaks_others(members, world_with(cluster, fewer), cluster)


def _breaks_others(members: Sequence[Candidate], world: Facts, cluster: ClusterFacts) -> bool:
    return is_anything_broken(cluster, world, {each.extension for each in members})


def _name(candidate: Candidate) -> str:
    return candidate.extension
