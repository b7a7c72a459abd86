"""How a resolution came to its answer: read by status, `olm explain`, logs and tests; decides nothing.

Reasons are computed when they are read, so a resolution that nobody asks about pays nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from operator_controller.resolver.channel_graph import InvalidSkipRange
from operator_controller.resolver.filters import Filter
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import Question, View

__all__ = ["CatalogState", "CatalogTrace", "FilterTrace", "Removal", "Trace"]


class CatalogState(StrEnum):
    """What a catalog contributed."""

    USED = "used"
    WITHOUT_PACKAGE = "package not found"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class Removal:
    """A candidate that a filter removed, and why."""

    bundle: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class FilterTrace:
    """One filter at work: how many candidates it left, and which it removed, best version first."""

    filter: Filter
    view: View
    left: int
    removed: tuple[Candidate, ...]

    @property
    def removals(self) -> tuple[Removal, ...]:
        """Every removed candidate with its reason."""
        return tuple(Removal(each.name, self.filter.reason(each, self.view)) for each in self.removed)


@dataclass(frozen=True, slots=True, eq=False)
class CatalogTrace:
    """What happened in one catalog.

    `message` says why an unusable one is unusable; `bundles` counts the bundles of the package; `filters` holds only
    the rules that the request asks for; `offer` is the best candidate, `None` when none is left.
    """

    name: str
    priority: int
    state: CatalogState
    message: str = ""
    bundles: int = 0
    filters: tuple[FilterTrace, ...] = ()
    offer: str | None = None
    invalid_skip_ranges: tuple[InvalidSkipRange, ...] = ()

    def removed_by(self, rule: Filter) -> tuple[Candidate, ...]:
        """The candidates that this rule removed; none when it did not apply."""
        return next((step.removed for step in self.filters if step.filter is rule), ())

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values."""
        return {
            "name": self.name,
            "priority": self.priority,
            "state": str(self.state),
            "message": self.message,
            "bundles": self.bundles,
            "filters": [
                {
                    "name": step.filter.name,
                    "left": step.left,
                    "removed": [{"bundle": each.bundle, "reason": each.reason} for each in step.removals],
                }
                for step in self.filters
            ],
            "offer": self.offer,
            "invalidSkipRanges": [
                {"channel": bad.channel, "entry": bad.entry, "skipRange": bad.text, "message": bad.message}
                for bad in self.invalid_skip_ranges
            ],
        }


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One resolution: the question, and every catalog by falling priority and then by name.

    `decisions`: what settled between the catalogs, and what is remarkable about the step that was chosen. `advice`:
    what the catalog tells of the chosen bundle that removes nothing, such as its install modes.
    """

    question: Question | None
    catalogs: tuple[CatalogTrace, ...] = ()
    decisions: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    def reasons_for(self, bundle: str) -> Iterator[tuple[str, str, str]]:
        """Catalog, filter and reason wherever a bundle of that name was removed."""
        for catalog in self.catalogs:
            for step in catalog.filters:
                for removal in step.removals:
                    if removal.bundle == bundle:
                        yield catalog.name, step.filter.name, removal.reason

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values, for printing."""
        wanted = self.question.wanted if self.question else None
        return {
            "intervals": list(wanted.intervals) if wanted else [],
            "catalogs": [catalog.to_json() for catalog in self.catalogs],
            "decisions": list(self.decisions),
            "advice": list(self.advice),
        }
