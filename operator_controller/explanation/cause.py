"""Why a request is refused: one of many causes, where the condition message says "no bundles found" to most of them.

Rule: resolution.md 16.16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from olmv1.versions import Range, VersionRelease, quoted
from operator_controller.explanation.nearest import nearest_versions
from operator_controller.explanation.reading import (
    Catalogs,
    channels_of,
    indexes_of,
    range_of,
    version_of,
    with_package,
)
from operator_controller.explanation.surroundings import Absence, Surroundings
from operator_controller.resolver import CatalogProblem, FilterTrace, Request, Unresolved
from operator_controller.resolver.filters import KUBERNETES, VERSION
from operator_controller.resolver.filters.channel import CHANNEL
from operator_controller.resolver.filters.major_hold import MAJOR_HOLD
from operator_controller.resolver.filters.release_pin import RELEASE_PIN
from operator_controller.resolver.filters.rollback import ROLLBACK
from operator_controller.resolver.filters.successor import SUCCESSOR

__all__ = ["Cause", "CauseKind", "cause_of"]


class CauseKind(StrEnum):
    """What stands in the way; fit to be looked up by a program."""

    AMBIGUOUS = "Ambiguous"
    CATALOG_UNUSABLE = "CatalogUnusable"
    CHANNEL_EMPTY = "ChannelEmpty"
    CHANNEL_UNKNOWN = "ChannelUnknown"
    FILTERED = "Filtered"
    INSTALLED_GONE = "InstalledGone"
    INSTALLED_NOT_IN_CHANNEL = "InstalledNotInChannel"
    INSTALLED_UNREADABLE = "InstalledUnreadable"
    INVALID_RANGE = "InvalidRange"
    KUBERNETES_TOO_OLD = "KubernetesTooOld"
    MAJOR_HELD = "MajorHeld"
    NO_CATALOG = "NoCatalog"
    NO_CATALOG_AVAILABLE = "NoCatalogAvailable"
    NO_CATALOG_SELECTED = "NoCatalogSelected"
    NO_EDGE = "NoEdge"
    ONLY_LOWER = "OnlyLower"
    ONLY_PRERELEASES = "OnlyPrereleases"
    OTHER_CHANNEL = "OtherChannel"
    PACKAGE_EMPTY = "PackageEmpty"
    PACKAGE_UNKNOWN = "PackageUnknown"
    RANGE_EMPTY = "RangeEmpty"
    RELEASE_UNKNOWN = "ReleaseUnknown"
    VERSION_UNKNOWN = "VersionUnknown"
    VERSION_UNREADABLE = "VersionUnreadable"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause as a sentence without its full stop; `nearest`: versions just outside the range, as pins."""

    kind: CauseKind
    message: str
    nearest: tuple[str, ...] = ()

    @property
    def is_curable(self) -> bool:
        """Whether asking for something else may help; where there is nothing to choose from it does not."""
        return self.kind not in _INCURABLE


_INCURABLE = frozenset(
    {
        CauseKind.INSTALLED_UNREADABLE,
        CauseKind.INVALID_RANGE,
        CauseKind.NO_CATALOG,
        CauseKind.NO_CATALOG_AVAILABLE,
        CauseKind.NO_CATALOG_SELECTED,
        CauseKind.PACKAGE_EMPTY,
        CauseKind.PACKAGE_UNKNOWN,
    }
)

_Finding = Cause | None


def cause_of(request: Request, answer: Unresolved, catalogs: Catalogs, surroundings: Surroundings) -> Cause:
    """The cause of a refusal."""
    return (
        _unreadable_request(request, answer)
        or _no_usable_catalog(answer, catalogs, surroundings)
        or _no_package(request, catalogs)
        or _offers(answer, catalogs)
        or _emptied(request, answer, catalogs)
    )


def _unreadable_request(request: Request, answer: Unresolved) -> _Finding:
    if answer.trace.question is not None:
        return None
    if request.range_text and range_of(request.range_text) is None:
        return Cause(CauseKind.INVALID_RANGE, answer.message)
    return Cause(CauseKind.INSTALLED_UNREADABLE, answer.message.rpartition("error finding upgrade edges: ")[2])


def _no_usable_catalog(answer: Unresolved, catalogs: Catalogs, surroundings: Surroundings) -> _Finding:
    if answer.problem_catalogs:
        reasons = [each.message for each in catalogs if isinstance(each, CatalogProblem)]
        return Cause(
            CauseKind.CATALOG_UNUSABLE,
            f"the answer may depend on catalogs [{' '.join(answer.problem_catalogs)}], which cannot be used now: "
            + "; ".join(reasons),
        )
    if catalogs:
        return None
    selected = _names(each.name for each in surroundings.left_out if each.absence is not Absence.NOT_SELECTED)
    if selected:
        return Cause(CauseKind.NO_CATALOG_AVAILABLE, f"every selected catalog is unavailable: {selected}")
    others = _names(each.name for each in surroundings.left_out)
    if others:
        return Cause(CauseKind.NO_CATALOG_SELECTED, f"the selector selects none of the catalogs {others}")
    return Cause(CauseKind.NO_CATALOG, "there is no catalog to look into")


def _no_package(request: Request, catalogs: Catalogs) -> _Finding:
    package = quoted(request.package)
    if not with_package(catalogs):
        names = _names(each.name for each in catalogs)
        return Cause(CauseKind.PACKAGE_UNKNOWN, f"package {package} is in none of the catalogs {names}")
    if not any(index.candidates for index in indexes_of(catalogs)):
        return Cause(CauseKind.PACKAGE_EMPTY, f"package {package} has no bundles")
    return None


def _offers(answer: Unresolved, catalogs: Catalogs) -> _Finding:
    """Something is left, and yet there is no answer."""
    offered = {each.name: each.offer for each in answer.trace.catalogs if each.offer is not None}
    found = [
        (place, index.by_name[offered[place.name]]) for place, index in with_package(catalogs) if place.name in offered
    ]
    found = [pair for pair in found if not pair[1].is_deprecated] or found
    tied = [pair for pair in found if pair[0].priority == found[0][0].priority]
    if not tied:
        return None
    if len(tied) == 1:
        return Cause(CauseKind.VERSION_UNREADABLE, answer.message)
    listed = ", ".join(f"{quoted(candidate.name)} of {place.name}" for place, candidate in tied)
    return Cause(CauseKind.AMBIGUOUS, f"nothing decides between what catalogs of equal priority offer: {listed}")


def _emptied(request: Request, answer: Unresolved, catalogs: Catalogs) -> Cause:
    """The filter that removed the last candidate; of several catalogs the one that got furthest speaks."""
    last: list[tuple[int, FilterTrace]] = []
    for trace in answer.trace.catalogs:
        number = next((number for number, step in enumerate(trace.filters) if not step.left), None)
        if number is not None and trace.filters[number].removed:
            last.append((number, trace.filters[number]))
    if not last:
        return Cause(CauseKind.PACKAGE_EMPTY, f"package {quoted(request.package)} has no bundles")
    furthest = max(number for number, _ in last)
    steps = [step for number, step in last if number == furthest]
    explain = _BY_FILTER.get(steps[0].filter.name, _filtered)
    return explain(request, steps, catalogs)


_Explain = Callable[[Request, Sequence[FilterTrace], Catalogs], Cause]


def _filtered(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    first = steps[0].removals[0]
    count = sum(len(step.removed) for step in steps)
    others = f", and {count - 1} more" if count > 1 else ""
    return Cause(
        CauseKind.FILTERED,
        f'rule "{steps[0].filter.name}" removes the last that fit: {first.bundle} ({first.reason}){others}',
    )


def _channel(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    package, wanted = quoted(request.package), _names(request.channels, keep_order=True)
    known = channels_of(catalogs)
    if known & set(request.channels):
        return Cause(CauseKind.CHANNEL_EMPTY, f"no bundle of package {package} is in channels {wanted}")
    others = f"its channels are {_names(known)}" if known else "it has no channels at all"
    return Cause(CauseKind.CHANNEL_UNKNOWN, f"package {package} has no channel of {wanted}; {others}")


def _version(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:
    wanted = range_of(request.range_text)
    if wanted is None:
        return _filtered(request, steps, catalogs)
    text = quoted(wanted.text)
    if wanted.is_contradiction:
        return Cause(CauseKind.RANGE_EMPTY, f"no version at all can be in version range {text}")
    removed = [each.version for step in steps for each in step.removed if each.version is not None]
    hidden = sorted({str(each) for each in removed if wanted.hides(each.version)})
    nearest = nearest_versions(request, wanted, catalogs)
    if hidden:
        message = f"only pre-releases are in version range {text}, which hides them: {_few(hidden)}"
        return Cause(CauseKind.ONLY_PRERELEASES, message, nearest)
    elsewhere = _elsewhere(request, wanted, catalogs)
    if elsewhere:
        message = f"what is in version range {text} is in other channels: {elsewhere}"
        return Cause(CauseKind.OTHER_CHANNEL, message, nearest)
    advice = f"; nearest to it: {', '.join(nearest)}" if nearest else ""
    return Cause(CauseKind.VERSION_UNKNOWN, f"no bundle has a version in {text}{advice}", nearest)


def _elsewhere(request: Request, wanted: Range, catalogs: Catalogs) -> str:
    """`3.0.0 in beta` for the highest versions of the range that are outside the requested channels."""
    found = [
        (each.version, f"{each.version} in {_names(each.channels)}" if each.channels else f"{each.version} in none")
        for index in indexes_of(catalogs)
        for each in index.candidates
        if request.channels and each.version is not None and wanted.contains(each.version.version)
    ]
    return _few([text for _, text in sorted(found, key=lambda pair: (pair[0].key, pair[1]), reverse=True)])


def _release(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    found = sorted({each.version for step in steps for each in step.removed if each.version is not None})
    listed = _few([str(each) for each in reversed(found)])
    text = f"version {quoted(request.range_text or '')} pins a release that no bundle has; there are {listed}"
    return Cause(CauseKind.RELEASE_UNKNOWN, text)


def _edge(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:
    name, fitting = quoted(request.installed_name), [each for step in steps for each in step.removed]
    indexes = indexes_of(catalogs)
    missing = f"no upgrade edge leads from the installed {name} to {_fitting(len(fitting), fitting[0].name)}"
    has_bundle = any(request.installed_name in index.by_name for index in indexes)
    version = version_of(request.installed)
    edges = any(
        index.graph.edges_from(request.installed_name, version.version if version else None, frozenset())
        for index in indexes
    )
    if not has_bundle and not edges:
        return Cause(
            CauseKind.INSTALLED_GONE, f"the installed {name} is in no catalog any more, and no edge leads on from it"
        )
    homes = frozenset[str]().union(*(index.graph.members.get(request.installed_name, ()) for index in indexes))
    if request.channels and not homes & set(request.channels):
        wanted = _names(request.channels, keep_order=True)
        text = f"the installed {name} is not in channels {wanted}, and no edge in them leads on from it"
        return Cause(CauseKind.INSTALLED_NOT_IN_CHANNEL, text)
    return Cause(CauseKind.NO_EDGE, missing)


def _fitting(count: int, first: str) -> str:
    return quoted(first) if count == 1 else f"any of the {count} bundles that fit, such as {quoted(first)}"


def _rollback(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    installed = version_of(request.installed)
    best = steps[0].removed[0].name
    return Cause(
        CauseKind.ONLY_LOWER,
        f"what fits is lower than the installed version {installed}, for example {quoted(best)}: "
        "nothing goes back unless the version range excludes the installed version",
    )


def _major(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    installed: VersionRelease | None = version_of(request.installed)
    major = "" if installed is None else f" {installed.version.major}"
    best = steps[0].removed[0].name
    return Cause(CauseKind.MAJOR_HELD, f"the major version{major} is held, and {quoted(best)} would leave it")


def _kubernetes(request: Request, steps: Sequence[FilterTrace], catalogs: Catalogs) -> Cause:  # noqa: ARG001
    first = steps[0].removals[0]
    return Cause(CauseKind.KUBERNETES_TOO_OLD, f"what fits needs another Kubernetes: {first.bundle}: {first.reason}")


_BY_FILTER: Mapping[str, _Explain] = {
    CHANNEL.name: _channel,
    VERSION.name: _version,
    RELEASE_PIN.name: _release,
    SUCCESSOR.name: _edge,
    ROLLBACK.name: _rollback,
    MAJOR_HOLD.name: _major,
    KUBERNETES.name: _kubernetes,
}

_SHOWN = 3


def _few(texts: Sequence[str]) -> str:
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _names(names: Iterable[str], *, keep_order: bool = False) -> str:
    found = list(names) if keep_order else sorted(names)
    return f"[{' '.join(found)}]" if found else ""
