"""One catalog searched: every filter in turn, then the best of what is left.

Rule: resolution.md 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from operator import not_

from operator_controller.resolver.filters import FILTERS
from operator_controller.resolver.offers import Offer
from operator_controller.resolver.question import Question, view_of
from operator_controller.resolver.ranking import best_of
from operator_controller.resolver.request import CatalogContent, CatalogProblem
from operator_controller.resolver.trace import CatalogState, CatalogTrace, FilterTrace

__all__ = ["Searched", "search"]


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """What one catalog contributed; `offer` is `None` when nothing is left or it cannot be used."""

    trace: CatalogTrace
    offer: Offer | None = None


def search(catalog: CatalogContent | CatalogProblem, question: Question, *, may_go_back: bool) -> Searched:
    """The offer of a catalog and how it came about."""
    if isinstance(catalog, CatalogProblem):
        return Searched(CatalogTrace(catalog.name, catalog.priority, CatalogState.UNUSABLE, message=catalog.message))
    index = catalog.package
    if index is None:
        return Searched(CatalogTrace(catalog.name, catalog.priority, CatalogState.WITHOUT_PACKAGE))
    view = view_of(question, index, may_go_back=may_go_back)
    candidates = index.candidates
    steps: list[FilterTrace] = []
    for rule in FILTERS:
        keeps = rule.keeps(view)
        if keeps is not None:
            verdicts = [keeps(candidate) for candidate in candidates]
            removed = tuple(compress(candidates, map(not_, verdicts)))
            candidates = tuple(compress(candidates, verdicts))
            steps.append(FilterTrace(rule, view, len(candidates), removed))
    best = best_of(candidates, view)
    trace = CatalogTrace(
        catalog.name,
        catalog.priority,
        CatalogState.USED,
        bundles=len(index.candidates),
        filters=tuple(steps),
        offer=best.name if best else None,
        invalid_skip_ranges=index.graph.invalid,
    )
    return Searched(trace, Offer(catalog.name, catalog.priority, best, view) if best else None)
