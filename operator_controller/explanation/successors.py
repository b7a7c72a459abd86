"""The best next bundles in one step: within the minor version (z-stream), within the major version (y-stream), beyond.

The version range plays no part, so that one sees what it holds back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from olmv1.versions import VersionRelease
from operator_controller.explanation.reading import Catalogs, range_of, version_of, with_package
from operator_controller.explanation.step import Step, shown_edge, step_to
from operator_controller.resolver import CatalogContent, PackageIndex, Request
from operator_controller.resolver.filters import FILTERS
from operator_controller.resolver.question import Question, view_of

__all__ = ["Stream", "Successor", "best_successors"]


class Stream(StrEnum):
    """How far a step goes."""

    Z = "z"
    Y = "y"
    X = "x"


@dataclass(frozen=True, slots=True)
class Successor:
    """The best step of one stream; `is_wanted`: the version range holds it."""

    stream: Stream
    step: Step
    is_wanted: bool


def best_successors(request: Request, catalogs: Catalogs) -> tuple[Successor, ...]:
    """For each stream that has one the best successor of the installed bundle: z, y, x."""
    installed = version_of(request.installed)
    if installed is None:
        return ()
    best: dict[Stream, tuple[tuple[object, ...], Successor]] = {}
    for catalog, index in with_package(catalogs):
        for rank, successor in _successors(request, installed, catalog, index):
            known = best.get(successor.stream)
            if known is None or rank > known[0]:
                best[successor.stream] = (rank, successor)
    return tuple(best[stream][1] for stream in Stream if stream in best)


def _successors(
    request: Request, installed: VersionRelease, catalog: CatalogContent, index: PackageIndex
) -> Iterator[tuple[tuple[object, ...], Successor]]:
    channels = frozenset(request.channels)
    question = Question(request, range_of(request.range_text), channels, installed)
    open_question = Question(replace(request, range_text=None), None, channels, installed)
    view = view_of(open_question, index, may_go_back=False)
    rules = [keeps for rule in FILTERS if (keeps := rule.keeps(view)) is not None]
    for candidate in index.candidates:
        version = candidate.version
        if version is None or view.is_installed(candidate) or not all(keeps(candidate) for keeps in rules):
            continue
        edges = view.edges.get(candidate.name, ())
        step = step_to(candidate, catalog.name, shown_edge(edges, index), installed)
        rank = (not candidate.is_deprecated, catalog.priority, not view.is_skipped(candidate), version.key)
        yield rank, Successor(_stream(installed, version), step, question.admits(version))


def _stream(installed: VersionRelease, version: VersionRelease) -> Stream:
    here, there = installed.version, version.version
    if there.major != here.major:
        return Stream.X
    return Stream.Z if there.minor == here.minor else Stream.Y
