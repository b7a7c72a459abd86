"""One result out of what the catalogs offer.

Rule: resolution.md 5 with 16.2 (unusable catalogs) and 16.10 (ties).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View
from operator_controller.resolver.request import CatalogProblem

__all__ = ["Offer", "Verdict", "blocking_problems", "decide"]


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """The best candidate of one catalog."""

    catalog: str
    priority: int
    candidate: Candidate
    view: View

    @property
    def is_stay(self) -> bool:
        """Whether it is the installed bundle itself."""
        return self.view.is_installed(self.candidate)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What is left of the offers: exactly one, none, or several that nothing tells apart; and the steps that led there.

    Several are in `remaining` with those of lower priority, because the condition message lists them all.
    """

    winner: Offer | None
    remaining: tuple[Offer, ...]
    decisions: tuple[str, ...]

    @property
    def priority(self) -> int:
        """The highest priority among the offers left; meaningless without any."""
        return self.remaining[0].priority


def decide(offers: Sequence[Offer], preferred_catalog: str | None) -> Verdict:
    """The verdict on offers that are sorted by falling priority and then by name."""
    decisions: list[str] = []
    remaining = tuple(offer for offer in offers if not offer.candidate.is_deprecated)
    if remaining and len(remaining) < len(offers):
        dropped = " ".join(offer.catalog for offer in offers if offer.candidate.is_deprecated)
        decisions.append(f"deprecated bundles offered by [{dropped}] give way")
    remaining = remaining or tuple(offers)
    tied = [offer for offer in remaining if offer.priority == remaining[0].priority]
    if len(tied) < len(remaining):
        decisions.append(f"priority {remaining[0].priority} decides")
    winner = _untied(tied, preferred_catalog, decisions)
    return Verdict(winner, remaining, tuple(decisions))


def _untied(tied: Sequence[Offer], preferred_catalog: str | None, decisions: list[str]) -> Offer | None:
    if len(tied) < 2:
        return tied[0] if tied else None
    names = " ".join(offer.catalog for offer in tied)
    for offer in tied:
        if offer.catalog == preferred_catalog:
            decisions.append(f"of [{names}] the installed bundle came from {offer.catalog}")
            return offer
    if len({(offer.candidate.name, offer.candidate.bundle.image) for offer in tied}) == 1:
        decisions.append(f"[{names}] offer the same bundle")
        return tied[0]
    decisions.append(f"nothing decides between [{names}]")
    return None


def blocking_problems(
    verdict: Verdict, problems: Sequence[CatalogProblem], preferred_catalog: str | None
) -> tuple[CatalogProblem, ...]:
    """The unusable catalogs whose content could change the verdict, in the order given.

    Staying is always possible; an offer that is not deprecated is final against every lower priority, and against an
    equal one when it would win the tie.
    """
    if verdict.winner is not None and verdict.winner.is_stay:
        return ()
    if not verdict.remaining or verdict.remaining[0].candidate.is_deprecated:
        return tuple(problems)
    return tuple(each for each in problems if _could_decide(each, verdict, preferred_catalog))


def _could_decide(problem: CatalogProblem, verdict: Verdict, preferred_catalog: str | None) -> bool:
    if problem.priority != verdict.priority:
        return problem.priority > verdict.priority
    if verdict.winner is None:
        return problem.name == preferred_catalog
    return verdict.winner.catalog != preferred_catalog
