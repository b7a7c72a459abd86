"""What every catalog had to say, and what became of every bundle in it. Rule: resolution.md 15, rows 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from operator_controller.explanation.reading import Catalogs, with_package
from operator_controller.explanation.step import EdgeView, edge_view
from operator_controller.explanation.surroundings import Surroundings
from operator_controller.resolver import CatalogTrace, InvalidSkipRange, PackageIndex, Trace
from operator_controller.resolver.filters import VERSION
from operator_controller.resolver.filters.successor import SUCCESSOR
from operator_controller.resolver.question import Question

__all__ = ["CatalogReport", "CandidateReport", "FilterReport", "candidate_reports", "catalog_reports"]


@dataclass(frozen=True, slots=True)
class FilterReport:
    """A rule of the request, and how many bundles it left."""

    name: str
    left: int


@dataclass(frozen=True, slots=True)
class CatalogReport:
    """One catalog of the cluster; `message` says why it cannot be used, `offer` is the bundle that it puts forward."""

    name: str
    priority: int
    state: str
    message: str = ""
    default_channel: str = ""
    channels: tuple[str, ...] = ()
    bundles: int = 0
    filters: tuple[FilterReport, ...] = ()
    offer: str | None = None
    invalid_skip_ranges: tuple[InvalidSkipRange, ...] = ()

    @property
    def candidates(self) -> int:
        """The bundles that every filter left."""
        return self.filters[-1].left if self.filters else self.bundles


@dataclass(frozen=True, slots=True)
class CandidateReport:
    """One bundle of one catalog, and the first rule that dropped it.

    `dropped_by` and `reason` are empty for one that is left. `edges` come from the installed bundle, in any channel;
    only those in `channels` of the request count.
    """

    catalog: str
    bundle: str
    version: str
    release: str | None
    image: str
    channels: tuple[str, ...]
    skipped_in: tuple[str, ...]
    deprecated: tuple[str, ...]
    dropped_by: str
    reason: str
    edges: tuple[EdgeView, ...]


def catalog_reports(trace: Trace, catalogs: Catalogs, surroundings: Surroundings) -> tuple[CatalogReport, ...]:
    """Every catalog by falling priority and then by name, those that are not looked into at the end."""
    indexes = {catalog.name: index for catalog, index in with_package(catalogs)}
    used = [_used(each, indexes.get(each.name)) for each in trace.catalogs]
    left_out = sorted(surroundings.left_out, key=lambda each: (-each.priority, each.name))
    return (*used, *(CatalogReport(each.name, each.priority, each.absence.value) for each in left_out))


def _used(trace: CatalogTrace, index: PackageIndex | None) -> CatalogReport:
    return CatalogReport(
        name=trace.name,
        priority=trace.priority,
        state=trace.state.value,
        message=trace.message,
        default_channel=index.default_channel if index else "",
        channels=tuple(sorted(index.graph.channels)) if index else (),
        bundles=trace.bundles,
        filters=tuple(FilterReport(step.filter.name, step.left) for step in trace.filters),
        offer=trace.offer,
        invalid_skip_ranges=trace.invalid_skip_ranges,
    )


def candidate_reports(trace: Trace, catalogs: Catalogs) -> tuple[CandidateReport, ...]:
    """Every bundle of every used catalog: catalogs as in the trace, highest version first."""
    if trace.question is None:
        return ()
    traces = {each.name: each for each in trace.catalogs}
    return tuple(
        report
        for catalog, index in with_package(catalogs)
        for report in _reports(catalog.name, index, traces[catalog.name], trace.question)
    )


def _reports(catalog: str, index: PackageIndex, trace: CatalogTrace, question: Question) -> Iterator[CandidateReport]:
    drops = _drops(trace, question)
    edges = _edges(index, question)
    for candidate in index.candidates:
        version = candidate.version
        dropped_by, reason = drops.get(id(candidate), ("", ""))
        yield CandidateReport(
            catalog=catalog,
            bundle=candidate.name,
            version=str(version.version) if version is not None else candidate.bundle.version_text or "",
            release=str(version.release) if version is not None and version.release is not None else None,
            image=candidate.bundle.image,
            channels=tuple(sorted(candidate.channels)),
            skipped_in=tuple(sorted(candidate.skipped_in)),
            deprecated=index.deprecations.bundles.get(candidate.name, ()),
            dropped_by=dropped_by,
            reason=reason,
            edges=edges.get(candidate.name, ()),
        )


def _drops(trace: CatalogTrace, question: Question) -> Mapping[int, tuple[str, str]]:
    """Identity of a candidate → the rule that dropped it, by the words of the specification, and the reason."""
    found: dict[int, tuple[str, str]] = {}
    for step in trace.filters:
        for candidate in step.removed:
            name = step.filter.name
            if step.filter is SUCCESSOR:
                name = "no upgrade edge"
            elif step.filter is VERSION and candidate.version is not None and question.wanted is not None:
                name = "version: pre-release" if question.wanted.hides(candidate.version.version) else name
            found[id(candidate)] = (name, step.filter.reason(candidate, step.view))
    return found


def _edges(index: PackageIndex, question: Question) -> Mapping[str, tuple[EdgeView, ...]]:
    if question.installed is None:
        return {}
    installed = question.installed_version
    version = installed.version if installed is not None else None
    found = index.graph.edges_from(question.installed.name, version, frozenset())
    return {name: tuple(map(edge_view, edges)) for name, edges in found.items()}
