"""One resolution from end to end: read the request, search every catalog, settle between them, check the result.

The entry of the room. Called once per reconcile and by `olm`; does no I/O, changes nothing it is given, and gives the
same answer whatever the order of catalogs, bundles, channels and entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from olmv1.versions import Range, RangeError, Version, VersionRelease
from operator_controller.resolver import messages
from operator_controller.resolver.answer import Chosen, Note, Unresolved
from operator_controller.resolver.notes import (
    notes_on_catalogs,
    notes_on_hidden,
    notes_on_invalid_range,
    notes_on_lookalikes,
    notes_on_offer,
    notes_on_request,
    unknown_channels,
)
from operator_controller.resolver.offers import Offer, Verdict, blocking_problems, decide
from operator_controller.resolver.package_index import PackageIndex
from operator_controller.resolver.question import Question, is_excluded_by_channels
from operator_controller.resolver.request import CatalogContent, CatalogProblem, InstalledBundle, Request
from operator_controller.resolver.search import search
from operator_controller.resolver.surroundings import advice_on_bundle, notes_on_kubernetes
from operator_controller.resolver.trace import Trace

__all__ = ["resolve"]

Catalogs = Sequence[CatalogContent | CatalogProblem]


def resolve(request: Request, catalogs: Catalogs) -> Chosen | Unresolved:
    """The bundle that fulfils the request best, or why there is none; never raises.

    `catalogs` are those that the selector selects and that are available, usable or not. Rule: resolution.md 2 to 7.
    """
    try:
        wanted = Range.parse(request.range_text) if request.range_text else None
    except RangeError as error:
        message = messages.range_invalid(request.range_text or "", str(error))
        notes = tuple(notes_on_invalid_range(request.range_text or "", error.position))
        return Unresolved(message, Trace(None), is_terminal=True, notes=notes)
    ordered = sorted(catalogs, key=lambda catalog: (-catalog.priority, catalog.name))
    has_package = any(isinstance(each, CatalogContent) and each.package is not None for each in ordered)
    try:
        installed_version = _installed_version(request.installed)
    except ValueError as error:
        if has_package and not request.is_self_certified:
            return Unresolved(str(error), Trace(None))
        installed_version = None  # nothing can be compared with it, so no rule about it applies
    return _answer(_findings(Question(request, wanted, frozenset(request.channels), installed_version), ordered))


def _installed_version(installed: InstalledBundle | None) -> VersionRelease | None:
    if installed is None:
        return None
    try:
        Version.parse(installed.version)
    except ValueError as error:
        raise ValueError(messages.installed_version_unreadable(installed, str(error), is_release=False)) from error
    try:
        return VersionRelease.parse(installed.version, installed.release)
    except ValueError as error:
        raise ValueError(messages.installed_version_unreadable(installed, str(error), is_release=True)) from error


@dataclass(frozen=True, slots=True, eq=False)
class _Findings:
    """Everything that the answer is made of; `blocking` are the unusable catalogs it would depend on."""

    question: Question
    indexes: Sequence[PackageIndex]
    problems: Sequence[CatalogProblem]
    blocking: Sequence[CatalogProblem]
    verdict: Verdict
    trace: Trace


def _findings(question: Question, catalogs: Catalogs) -> _Findings:
    problems = tuple(each for each in catalogs if isinstance(each, CatalogProblem))
    indexes = [each.package for each in catalogs if isinstance(each, CatalogContent) and each.package is not None]
    may_go_back = _may_go_back(question, indexes, problems)
    searched = [search(each, question, may_go_back=may_go_back) for each in catalogs]
    preferred = question.installed.catalog if question.installed else None
    verdict = decide([each.offer for each in searched if each.offer], preferred)
    blocking = blocking_problems(verdict, problems, preferred)
    names = " ".join(each.name for each in blocking)
    waits = (f"the answer may depend on unusable catalogs [{names}]",) if blocking else ()
    steps = tuple(note.message for note in notes_on_offer(verdict.winner)) if verdict.winner else ()
    advice = tuple(advice_on_bundle(verdict.winner)) if verdict.winner else ()
    trace = Trace(question, tuple(each.trace for each in searched), (*verdict.decisions, *waits, *steps), advice)
    return _Findings(question, indexes, problems, blocking, verdict, trace)


def _may_go_back(question: Question, indexes: Sequence[PackageIndex], problems: Sequence[CatalogProblem]) -> bool:
    if question.is_installed_excluded:
        return True
    # Channels count for SelfCertified only (decision 3), and only when every catalog could be asked about them.
    return question.request.is_self_certified and not problems and is_excluded_by_channels(question, indexes)


def _answer(found: _Findings) -> Chosen | Unresolved:
    request, winner = found.question.request, found.verdict.winner
    if found.blocking:
        message = messages.catalog_unusable(request.package, found.blocking[0])
        return _unresolved(found, message, waits_for=found.blocking)
    if winner is None:
        names = [offer.catalog for offer in found.verdict.remaining]
        message = messages.ambiguous(request, names) if names else messages.nothing_found(request)
        return _unresolved(found, message, is_terminal=not names and _knows_no_channel(found))
    candidate = winner.candidate
    if candidate.version is None:
        return _unresolved(found, messages.version_unreadable(candidate.name, candidate.version_error))
    return Chosen(
        bundle=candidate.bundle,
        version=candidate.version,
        catalog=winner.catalog,
        deprecations=winner.view.index.deprecations,
        trace=found.trace,
        is_installed=winner.is_stay,
        notes=tuple(_notes_on_choice(found, winner, candidate.version)),
    )


def _knows_no_channel(found: _Findings) -> bool:
    # Names that no catalog has cannot heal by waiting (resolution.md 16.14); a new catalog wakes the extension anyway.
    requested = found.question.request.channels
    return bool(requested) and len(unknown_channels(found.question, found.indexes)) == len(requested)


def _unresolved(
    found: _Findings, message: str, *, is_terminal: bool = False, waits_for: Sequence[CatalogProblem] = ()
) -> Unresolved:
    return Unresolved(
        message=message,
        trace=found.trace,
        is_terminal=is_terminal,
        problem_catalogs=tuple(sorted(each.name for each in waits_for)),
        notes=tuple(_notes_on_failure(found)),
    )


def _notes_on_choice(found: _Findings, winner: Offer, version: VersionRelease) -> Iterator[Note]:
    yield from notes_on_offer(winner)
    yield from notes_on_request(found.question, found.indexes)
    yield from notes_on_hidden(found.question, found.trace.catalogs, version)
    yield from notes_on_kubernetes(found.trace.catalogs, version)
    yield from notes_on_catalogs(found.problems)


def _notes_on_failure(found: _Findings) -> Iterator[Note]:
    yield from notes_on_request(found.question, found.indexes)
    yield from notes_on_hidden(found.question, found.trace.catalogs, None)
    yield from notes_on_kubernetes(found.trace.catalogs, None)
    yield from notes_on_lookalikes(found.question, found.indexes)
