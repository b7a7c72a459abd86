"""One extension judged for a goal: hard signals, advice, and the way out. Rule: upgradeable.md 6.2 and 6.6."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from olmv1.manifests import ObjectKey
from operator_controller.explanation.plain import record
from operator_controller.explanation.reading import Catalogs, indexes_of
from operator_controller.resolver import Candidate, Request
from operator_controller.upgrade_plan.advice import Advisory, advice_on_bundle, advice_on_objects
from operator_controller.upgrade_plan.goal import Goal, Platform
from operator_controller.upgrade_plan.offered import declared, maximum_of
from operator_controller.upgrade_plan.way_out import Successor, WayOut, obstacle_of, successors_of, way_out
from operator_controller.upgradeability import BundleFacts, Minor, Verdict, VerdictKind, verdict_at

__all__ = ["Answer", "ExtensionPlan", "Objects", "Subject", "judge"]


class Answer(StrEnum):
    """May the cluster be upgraded with this extension?"""

    OK = "ok"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of an extension; `problem` says why they are not known."""

    keys: tuple[ObjectKey, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of one extension.

    `installed` is the name of the bundle that its status names, empty when it has none. `bundles` are those that its
    revisions record. `request` is `None` when its spec cannot be read; `problem` then says why.
    """

    name: str
    package: str
    installed: str
    bundles: tuple[BundleFacts, ...]
    request: Request | None
    catalogs: Catalogs = ()
    objects: Objects = Objects()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ExtensionPlan:
    """The answer about one extension.

    `max` is empty when none is declared. `reason` is that of the condition `ClusterUpgradeable`. `obstacle`: why
    there is no way out of a block. `unchecked`: signals that nobody could read.
    """

    name: str
    package: str
    bundle: str
    version: str
    max: str
    verdict: Answer
    reason: str
    message: str
    advisories: tuple[Advisory, ...] = ()
    unchecked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    way_out: WayOut | None = None
    obstacle: str = ""
    suggestions: tuple[Successor, ...] = ()

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values; members as the fields, in camelCase."""
        found = record(self)
        if self.way_out is not None:
            found["wayOut"] = {"isAllowed": self.way_out.is_allowed, **record(self.way_out)}
        return found


def judge(subject: Subject, goal: Goal) -> ExtensionPlan:
    """The answer about one extension."""
    facts, is_offered = _facts(subject)
    warnings = ("judged by what a catalog tells: nothing is recorded of the bundle",) if is_offered else ()
    advisories = tuple(_advice(subject, facts, goal))
    unchecked = (f"removed Kubernetes APIs: {subject.objects.problem}",) if subject.objects.problem else ()
    if goal.platform is Platform.KUBERNETES:
        answer, reason, message = _on_kubernetes(subject, facts, goal)
        verdict = None
    else:
        verdict = _on_openshift(facts, goal)
        answer, reason, message = _told(subject, verdict, facts)
    bundle = verdict.bundle if verdict is not None else facts[0] if facts else BundleFacts(subject.installed, None)
    found = ExtensionPlan(
        name=subject.name,
        package=subject.package,
        bundle=bundle.name,
        version=bundle.version,
        max="" if verdict is None or verdict.maximum is None else str(verdict.maximum),
        verdict=answer,
        reason=reason,
        message=message,
        advisories=advisories,
        unchecked=unchecked,
        warnings=(*warnings, *(verdict.warnings if verdict is not None else ())),
    )
    return _with_way_out(found, subject, goal) if answer is Answer.BLOCKED else found


def _facts(subject: Subject) -> tuple[tuple[BundleFacts, ...], bool]:
    """The bundles to judge, and whether a catalog had to be asked for them."""
    if subject.bundles or not subject.installed:
        return subject.bundles, False
    for index in indexes_of(subject.catalogs):
        found = index.by_name.get(subject.installed)
        if found is not None:
            version = found.bundle.version_text or ""
            return (BundleFacts(found.name, declared(found.bundle), package=index.name, version=version),), True
    return (BundleFacts(subject.installed, None, is_readable=False, package=subject.package),), False


def _on_openshift(facts: tuple[BundleFacts, ...], goal: Goal) -> Verdict | None:
    """The verdict at the first minor version on the way that is refused, else at the target."""
    found: Verdict | None = None
    for minor in goal.minors:
        found = verdict_at(facts, minor)
        if found is None or found.kind is not VerdictKind.COMPATIBLE:
            return found
    return found


_ANSWERS = {VerdictKind.COMPATIBLE: Answer.OK, VerdictKind.UNKNOWN: Answer.UNKNOWN}


def _told(subject: Subject, verdict: Verdict | None, facts: tuple[BundleFacts, ...]) -> tuple[Answer, str, str]:
    if verdict is None:
        return Answer.OK, "NothingInstalled", "nothing is installed"
    if verdict.kind is VerdictKind.UNKNOWN and not subject.bundles and facts:
        text = f"{verdict.message}: it has no ClusterObjectSet, and no catalog has the bundle"
        return Answer.UNKNOWN, verdict.kind.value, text
    return _ANSWERS.get(verdict.kind, Answer.BLOCKED), verdict.kind.value, verdict.message


def _on_kubernetes(subject: Subject, facts: tuple[BundleFacts, ...], goal: Goal) -> tuple[Answer, str, str]:
    if not facts:
        return Answer.OK, "NothingInstalled", "nothing is installed"
    if subject.objects.problem:
        text = f"nobody can tell whether it has objects that Kubernetes {goal.target} does not know"
        return Answer.UNKNOWN, VerdictKind.UNKNOWN.value, f"{text}: {subject.objects.problem}"
    return Answer.OK, VerdictKind.COMPATIBLE.value, "bundles declare no highest version of Kubernetes"


def _advice(subject: Subject, facts: tuple[BundleFacts, ...], goal: Goal) -> Iterator[Advisory]:
    for each in facts:
        offered = (index for index in indexes_of(subject.catalogs) if each.name in index.by_name)
        index = next(offered, None)
        if index is not None:
            yield from advice_on_bundle(index, index.by_name[each.name].bundle, goal)
    yield from advice_on_objects(subject.objects.keys, goal)


def _with_way_out(found: ExtensionPlan, subject: Subject, goal: Goal) -> ExtensionPlan:
    request = subject.request
    if request is None:
        return replace(found, obstacle=subject.problem)
    admits = _admitting(goal.minors[-1])
    suggestions = successors_of(request, subject.catalogs, admits)
    way = way_out(request, subject.catalogs, admits)
    obstacle = "" if way is not None else obstacle_of(request, subject.catalogs, admits)
    return replace(found, way_out=way, obstacle=obstacle, suggestions=suggestions)


def _admitting(target: Minor) -> Callable[[Candidate], bool]:
    def admits(candidate: Candidate) -> bool:
        found = maximum_of(candidate.bundle)
        return not found.problems and (found.minor is None or found.minor >= target)

    return admits
