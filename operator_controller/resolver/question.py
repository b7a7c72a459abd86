"""A request with its texts read, and the same seen from one catalog: what the filters look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from olmv1.versions import Range, VersionRelease
from operator_controller.resolver.channel_graph import Edge
from operator_controller.resolver.package_index import Candidate, PackageIndex
from operator_controller.resolver.request import InstalledBundle, Request

__all__ = ["Question", "View", "is_excluded_by_channels", "is_pin_fulfilled", "view_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """A request, parsed. `installed_version` is `None` when nothing is installed or its version cannot be read."""

    request: Request
    wanted: Range | None
    channels: frozenset[str]
    installed_version: VersionRelease | None

    @property
    def installed(self) -> InstalledBundle | None:
        """The installed bundle."""
        return self.request.installed

    def admits(self, version: VersionRelease) -> bool:
        """Whether the version range, if there is one, holds the version and does not pin another release."""
        if self.wanted is None:
            return True
        return self.wanted.contains(version.version) and is_pin_fulfilled(self.wanted, version)

    @property
    def is_installed_excluded(self) -> bool:
        """Whether the range refuses the installed version: only then may the user want to go back."""
        return self.installed_version is not None and not self.admits(self.installed_version)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The question as one catalog sees it.

    `edges`: successor name → edges from the installed bundle, in the channels that count. `may_go_back`: the user's
    range or channels exclude the installed bundle, so a lower version may be what is asked for.
    """

    question: Question
    index: PackageIndex
    edges: Mapping[str, Sequence[Edge]]
    may_go_back: bool

    def is_installed(self, candidate: Candidate) -> bool:
        """Whether the candidate is the installed bundle: same name, same version and release."""
        return (
            candidate.name == self.question.request.installed_name
            and candidate.version is not None
            and candidate.version == self.question.installed_version
        )

    def is_skipped(self, candidate: Candidate) -> bool:
        """Whether every channel that counts and holds the candidate also skips it."""
        channels = self.question.channels
        held = candidate.channels & channels if channels else candidate.channels
        return bool(held) and held <= candidate.skipped_in

    def is_led_to(self, candidate: Candidate) -> bool:
        """Whether an edge leads from the installed bundle to the candidate, and none back again."""
        return candidate.name in self.edges and not self.leads_back(candidate)

    def leads_back(self, candidate: Candidate) -> bool:
        """Whether edges lead from the candidate to the installed bundle again, over bundles that exist."""
        target = self.question.request.installed_name
        seen: set[str] = set()
        waiting = [candidate]
        while waiting:
            here = waiting.pop()
            version = here.version.version if here.version else None
            for name in self.index.graph.edges_from(here.name, version, self.question.channels):
                if name == target:
                    return True
                if name not in seen and (found := self.index.by_name.get(name)) is not None:
                    seen.add(name)
                    waiting.append(found)
        return False


def view_of(question: Question, index: PackageIndex, *, may_go_back: bool) -> View:
    """The view of one catalog."""
    edges: Mapping[str, Sequence[Edge]] = {}
    if question.installed is not None:
        version = question.installed_version.version if question.installed_version else None
        edges = index.graph.edges_from(question.installed.name, version, question.channels)
    return View(question, index, edges, may_go_back)


def is_pin_fulfilled(wanted: Range, version: VersionRelease) -> bool:
    """Whether a range such as `1.0.0+2` gets exactly that release; true for every other form of range.

    Rule: decision 8. `Range.contains` itself ignores build metadata.
    """
    pinned = wanted.pinned_build
    if pinned is None:
        return True
    return version.version.build == pinned or (version.release is not None and version.release.text == pinned)


def is_excluded_by_channels(question: Question, indexes: Sequence[PackageIndex]) -> bool:
    """Whether the requested channels leave the installed bundle out, although some catalog still has it.

    A bundle that is gone from every catalog was withdrawn, which is no wish of the user to go back.
    """
    installed = question.installed
    if installed is None or not question.channels:
        return False
    homes = [index.graph.members.get(installed.name, frozenset()) for index in indexes]
    is_known = any(homes) or any(installed.name in index.by_name for index in indexes)
    return is_known and not any(home & question.channels for home in homes)
