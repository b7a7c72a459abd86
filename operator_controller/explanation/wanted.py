"""The bundles that a request describes, whatever is installed: what a person who wrote it wants to end at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from olmv1.versions import VersionRelease
from operator_controller.explanation.reading import Catalogs, range_of, with_package
from operator_controller.resolver import Candidate, CatalogContent, PackageIndex, Request
from operator_controller.resolver.filters import FILTERS
from operator_controller.resolver.question import Question, View, view_of

__all__ = ["Wanted", "wanted_bundles"]


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """A bundle that fits channels, range and cluster."""

    candidate: Candidate
    version: VersionRelease
    catalog: CatalogContent
    is_skipped: bool

    @property
    def name(self) -> str:
        """The name of the bundle."""
        return self.candidate.name


def wanted_bundles(request: Request, catalogs: Catalogs) -> tuple[Wanted, ...]:
    """Every fitting bundle with a readable version, the one that a first install would take at the front."""
    found = [each for catalog, index in with_package(catalogs) for each in _fitting(request, catalog, index)]
    return tuple(sorted(found, key=_rank, reverse=True))


def _fitting(request: Request, catalog: CatalogContent, index: PackageIndex) -> Iterator[Wanted]:
    view = _view(request, index)
    rules = [keeps for rule in FILTERS if (keeps := rule.keeps(view)) is not None]
    for candidate in reversed(index.candidates):
        if candidate.version is not None and all(keeps(candidate) for keeps in rules):
            yield Wanted(candidate, candidate.version, catalog, view.is_skipped(candidate))


def _view(request: Request, index: PackageIndex) -> View:
    channels = frozenset(request.channels)
    fresh = replace(request, installed=None)
    question = Question(fresh, range_of(request.range_text), channels, installed_version=None)
    return view_of(question, index, may_go_back=True)


def _rank(wanted: Wanted) -> tuple[object, ...]:
    return (
        not wanted.candidate.is_deprecated,
        wanted.catalog.priority,
        not wanted.is_skipped,
        wanted.version.key,
    )
