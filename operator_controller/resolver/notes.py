"""What a person should know about an answer beside its message: surprises, causes, warnings.

Rule: resolution.md 16, rows 9, 15, 19 and 21; version-ranges.md 11, rows 1, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from olmv1.versions import VersionRelease, advice_on, opened, quoted
from operator_controller.resolver.answer import Note, NoteKind
from operator_controller.resolver.filters import VERSION
from operator_controller.resolver.offers import Offer
from operator_controller.resolver.package_index import Candidate, PackageIndex
from operator_controller.resolver.question import Question
from operator_controller.resolver.ranking import Standing, standing_of
from operator_controller.resolver.request import CatalogProblem
from operator_controller.resolver.trace import CatalogTrace

__all__ = [
    "notes_on_catalogs",
    "notes_on_hidden",
    "notes_on_invalid_range",
    "notes_on_lookalikes",
    "notes_on_offer",
    "notes_on_request",
    "unknown_channels",
]


def notes_on_invalid_range(text: str, position: int | None) -> Iterator[Note]:
    """A note on the place where a range stops being readable; none when no single place is to blame."""
    if position is None:
        return
    rest = text[position:]
    finding = f"cannot be read from character {position + 1} on: {quoted(rest)}" if rest else "ends too early"
    yield Note(NoteKind.INVALID_RANGE, f"version range {quoted(text)} {finding}")


def notes_on_request(question: Question, indexes: Sequence[PackageIndex]) -> Iterator[Note]:
    """Notes that hold whatever is chosen."""
    for name in unknown_channels(question, indexes):
        package = quoted(question.request.package)
        yield Note(NoteKind.UNKNOWN_CHANNEL, f"channel {quoted(name)} of package {package} is in no catalog")
    if question.wanted is not None:
        for text in advice_on(question.wanted):
            yield Note(NoteKind.SURPRISING_RANGE, text)


def notes_on_offer(offer: Offer) -> Iterator[Note]:
    """Notes on the chosen bundle and the step that leads to it."""
    candidate, view = offer.candidate, offer.view
    standing = standing_of(candidate, view)
    if standing is Standing.SKIPPED:
        yield Note(NoteKind.SKIPPED_BUNDLE, f"every channel with bundle {quoted(candidate.name)} skips it")
    if standing is Standing.SIDEWAYS:
        yield _other_name(candidate.name, view.question)
    yield from _notes_on_step(candidate, view.question)


def notes_on_catalogs(problems: Sequence[CatalogProblem]) -> Iterator[Note]:
    """Notes on unusable catalogs without which the answer stands."""
    for problem in problems:
        text = f"catalog {quoted(problem.name)} cannot be used and does not matter: {problem.message}"
        yield Note(NoteKind.CATALOG_PASSED_OVER, text)


def unknown_channels(question: Question, indexes: Sequence[PackageIndex]) -> tuple[str, ...]:
    """The requested channels that no catalog with the package knows, in the order of the request."""
    known = frozenset[str]().union(*(index.graph.channels for index in indexes))
    return tuple(name for name in question.request.channels if indexes and name not in known)


def notes_on_lookalikes(question: Question, indexes: Sequence[PackageIndex]) -> Iterator[Note]:
    """Notes on bundles that have the installed version but are not the installed bundle."""
    installed = question.installed_version
    if installed is None:
        return
    found = (each for index in indexes for each in index.candidates if each.version == installed)
    for name in sorted({each.name for each in found} - {question.request.installed_name}):
        yield _other_name(name, question)


def notes_on_hidden(
    question: Question, traces: Iterable[CatalogTrace], chosen: VersionRelease | None
) -> Iterator[Note]:
    """A note on the pre-releases that only the range's gate removed; of those that are higher than the chosen one."""
    wanted = question.wanted
    if wanted is None:
        return
    removed = (each.version for trace in traces for each in trace.removed_by(VERSION))
    prereleases = (each for each in removed if each is not None and each.version.prerelease)
    higher = (each.version for each in prereleases if chosen is None or each > chosen)
    count = len({version for version in higher if wanted.hides(version)})
    if count:
        text = f"version range {quoted(wanted.text)} hides pre-releases ({count}); {quoted(opened(wanted))} shows them"
        yield Note(NoteKind.PRERELEASES_HIDDEN, text)


def _other_name(name: str, question: Question) -> Note:
    installed = quoted(question.request.installed_name)
    text = f"bundle {quoted(name)} has the version of the installed {installed} but another name"
    return Note(NoteKind.SAME_VERSION_OTHER_NAME, text)


def _notes_on_step(candidate: Candidate, question: Question) -> Iterator[Note]:
    installed, version = question.installed_version, candidate.version
    if installed is None or version is None:
        return
    name = quoted(candidate.name)
    if version.version.major > installed.version.major:
        text = f"bundle {name} crosses from major version {installed.version.major} to {version.version.major}"
        yield Note(NoteKind.MAJOR_UPGRADE, text)
    elif version < installed and version.version.key[:3] == installed.version.key[:3]:
        yield Note(NoteKind.RESPIN, f"bundle {name} is a respin of the installed {installed}")
    elif version < installed:
        yield Note(NoteKind.ROLLBACK, f"bundle {name} goes back from the installed {installed} to {version}")
