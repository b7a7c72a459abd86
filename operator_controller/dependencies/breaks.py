"""Which installed extensions a change would break. Rule: dependencies.md 8.1."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from olmv1.constraints import Facts, evaluate, text_of
from olmv1.versions import quoted
from operator_controller.dependencies.facts import Candidate, ClusterFacts
from operator_controller.dependencies.worlds import world_now, world_of_candidate, world_without

__all__ = ["Break", "broken_by", "broken_by_removal", "is_anything_broken"]


@dataclass(frozen=True, slots=True)
class Break:
    """A requirement of an installed extension that is met now and would not be any more."""

    extension: str
    bundle: str
    requirement: str

    @property
    def text(self) -> str:
        """`ClusterExtension "a": bundle "a.v1" requires API …`."""
        return f"ClusterExtension {quoted(self.extension)}: bundle {quoted(self.bundle)} requires {self.requirement}"


def broken_by(candidate: Candidate, cluster: ClusterFacts) -> tuple[Break, ...]:
    """What putting the candidate in place would break, by extension."""
    return tuple(_broken(cluster, world_of_candidate(cluster, candidate), {candidate.extension}))


def broken_by_removal(extension: str, cluster: ClusterFacts) -> tuple[Break, ...]:
    """What breaks when `extension` is deleted, which cannot be refused: the text of Events on both sides."""
    return tuple(_broken(cluster, world_without(cluster, extension), {extension}))


def is_anything_broken(cluster: ClusterFacts, world: Facts, but: Set[str]) -> bool:
    """Whether an extension that is not in `but` has a requirement that is met now and not in `world`."""
    return any(True for _ in _broken(cluster, world, but))


def _broken(cluster: ClusterFacts, world: Facts, but: Set[str]) -> Iterator[Break]:
    now = world_now(cluster)
    for extension, requirements in cluster.extensions.requiring:
        if extension.name in but:
            continue
        later = [each for each in evaluate(requirements, world, cluster.rules).judgements if not each.is_met]
        if not later:
            continue
        before = {
            each.requirement.source: each.is_met for each in evaluate(requirements, now, cluster.rules).judgements
        }
        for judgement in later:
            if judgement.requirement.predicate is not None and before[judgement.requirement.source]:
                yield Break(extension.name, extension.bundle, text_of(judgement.requirement.predicate))
