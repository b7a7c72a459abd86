"""One resolution explained: what was asked, what was found, what was decided, and what a person could do.

The entry of the room. Everything is computed from the request, the catalogs and the resolver's own answer; nothing is
decided here. Rule: resolution.md 15.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operator_controller.explanation.alternative import Alternative, alternatives_to
from operator_controller.explanation.cause import Cause, cause_of
from operator_controller.explanation.classic import Classic, compared
from operator_controller.explanation.examined import (
    CandidateReport,
    CatalogReport,
    candidate_reports,
    catalog_reports,
)
from operator_controller.explanation.hops import Hops, hops_of
from operator_controller.explanation.plain import record
from operator_controller.explanation.reading import Catalogs, range_of
from operator_controller.explanation.route import Route, route_of
from operator_controller.explanation.step import Step
from operator_controller.explanation.successors import Successor, best_successors
from operator_controller.explanation.surroundings import Surroundings
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    InstalledBundle,
    Note,
    Request,
    Unresolved,
)

__all__ = ["Asked", "Decision", "Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The request; `intervals` are the versions that its range holds, for display."""

    package: str
    version: str | None
    intervals: tuple[str, ...]
    channels: tuple[str, ...]
    selector: str
    policy: str
    hold_major: bool
    kube_version: str | None
    installed: InstalledBundle | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What came of it: `chosen` (`None`: nothing, `message` says why in the words of the condition).

    `is_installed`: the choice is what is installed. `settled_by`: what decided between catalogs. `hops`: this step and
    those that follow by themselves. `advice`: what the catalog tells of the chosen bundle that removes nothing.
    """

    chosen: Step | None
    is_installed: bool
    message: str
    is_terminal: bool
    settled_by: tuple[str, ...]
    hops: Hops
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one resolution. `cause` and `alternatives` belong to a refusal.

    `route`: `None` when nothing is installed, nothing fits, or what is installed is what is wanted. `classic`: `None`
    when no catalog has the package.
    """

    request: Asked
    decision: Decision
    cause: Cause | None
    route: Route | None
    alternatives: tuple[Alternative, ...]
    successors: tuple[Successor, ...]
    catalogs: tuple[CatalogReport, ...]
    candidates: tuple[CandidateReport, ...]
    classic: Classic | None
    notes: tuple[Note, ...]

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values; members as the fields, in camelCase."""
        return record(self)


_UNKNOWN = Surroundings()


def explain(
    request: Request,
    catalogs: Sequence[CatalogContent | CatalogProblem],
    answer: Chosen | Unresolved,
    surroundings: Surroundings = _UNKNOWN,
) -> Explanation:
    """Why `answer` is the answer to `request` in these catalogs.

    Takes milliseconds for hundreds of bundles; never raises for any answer that `resolve` gave to the same arguments.
    """
    ordered: Catalogs = tuple(sorted(catalogs, key=lambda each: (-each.priority, each.name)))
    hops = hops_of(request, answer, ordered)
    cause = cause_of(request, answer, ordered, surroundings) if isinstance(answer, Unresolved) else None
    return Explanation(
        request=_asked(request, surroundings),
        decision=_decision(answer, hops),
        cause=cause,
        route=route_of(request, ordered),
        alternatives=alternatives_to(request, ordered, cause.nearest) if cause is not None and cause.is_curable else (),
        successors=best_successors(request, ordered),
        catalogs=catalog_reports(answer.trace, ordered, surroundings),
        candidates=candidate_reports(answer.trace, ordered),
        classic=compared(request, answer, ordered),
        notes=answer.notes,
    )


def _asked(request: Request, surroundings: Surroundings) -> Asked:
    wanted = range_of(request.range_text)
    return Asked(
        package=request.package,
        version=request.range_text or None,
        intervals=wanted.intervals if wanted is not None else (),
        channels=request.channels,
        selector=surroundings.selector,
        policy=request.policy,
        hold_major=request.hold_major,
        kube_version=request.kube_version,
        installed=request.installed,
    )


def _decision(answer: Chosen | Unresolved, hops: Hops) -> Decision:
    return Decision(
        chosen=hops.steps[0] if hops.steps else None,
        is_installed=isinstance(answer, Chosen) and answer.is_installed,
        message="" if isinstance(answer, Chosen) else answer.message,
        is_terminal=isinstance(answer, Unresolved) and answer.is_terminal,
        settled_by=answer.trace.decisions,
        hops=hops,
        advice=answer.trace.advice,
    )
