"""What the chosen bundle requires, and whether it is met: the same check as the controller's, with every way out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from olm_cli.asking.question import Asked
from olm_cli.catalogs import Read, Unread, read_package, read_packages
from olmv1.constraints import PackageRequired
from olmv1.manifests import annotations_of
from olmv1.rules import IsolatedRules
from operator_controller.dependencies import (
    ClusterFacts,
    DependencyVerdict,
    Dependent,
    Mode,
    Shelf,
    Shelves,
    candidate_of,
    check,
    dependents_of,
    mode_of,
    report_of,
    unmet_leaves,
)
from operator_controller.resolver import Chosen, PackageIndex, Unresolved, index_package

__all__ = ["Needs", "needs_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Needs:
    """The verdict on the chosen bundle and its report; `is_known` is false without a cluster to ask about.

    `dependents`: who needs the extension as it is installed now.
    """

    verdict: DependencyVerdict
    report: Mapping[str, Any]
    is_known: bool
    dependents: tuple[Dependent, ...] = ()

    @property
    def is_held(self) -> bool:
        """Whether the rollout would be held."""
        return self.is_known and self.verdict.failure is not None

    def to_json(self) -> Mapping[str, Any]:
        """The same as plain values; `held` is null when nobody can tell."""
        failure = self.verdict.failure
        message = str(failure) if failure is not None and self.is_known else ""
        dependents = [
            {"extension": each.extension, "bundle": each.bundle, "requires": each.requirement, "also": list(each.also)}
            for each in self.dependents
        ]
        held = self.is_held if self.is_known else None
        return {"held": held, "message": message, **self.report, "dependents": dependents}


async def needs_of(asked: Asked, found: Chosen | Unresolved) -> Needs | None:
    """What is to be said about dependencies; `None` when nothing is chosen, or there is nothing to say."""
    if not isinstance(found, Chosen):
        return None
    around = asked.neighbours
    ext = {"metadata": {"name": asked.request.package}} if around is None else around.ext
    mode = Mode.CHECK if around is None else mode_of(annotations_of(ext))
    candidate = replace(candidate_of(ext, found), package=asked.request.package)
    cluster = ClusterFacts(rules=IsolatedRules())
    if around is not None:
        cluster = replace(cluster, extensions=around.extensions, served=around.served)
    verdict = await asyncio.to_thread(check, candidate, mode, cluster)
    shelves = await _shelves(asked, verdict)
    if shelves is not None:
        cluster = replace(cluster, shelves=shelves)
        verdict = await asyncio.to_thread(check, candidate, mode, cluster)
    dependents = () if around is None else await asyncio.to_thread(dependents_of, candidate.extension, cluster)
    if not (verdict.evaluation.judgements or verdict.breaks or verdict.failure or dependents):
        return None
    report = await asyncio.to_thread(report_of, verdict, candidate, cluster)
    return Needs(verdict, report, is_known=around is not None, dependents=dependents)


async def _shelves(asked: Asked, verdict: DependencyVerdict) -> Shelves | None:
    """The catalogs as far as they can help: the packages that are named, or everything for an API or a rule."""
    unmet = [each.finding for each in verdict.evaluation.unmet if each.finding is not None]
    leaves = [leaf for finding in unmet for leaf in unmet_leaves(finding)]
    if not leaves:
        return None
    if all(isinstance(leaf, PackageRequired) for leaf in leaves):
        names = sorted(verdict.wanted_packages)
        answers = [await read_package(asked.places, name) for name in names]
        known = {name for name, found in zip(names, answers, strict=True) if not _is_partial(found)}
        return Shelves(_gathered(each for found in answers for each in found), searched=frozenset(known))
    found = await read_packages(asked.places, with_bundles=True)
    return Shelves(_gathered(found), is_whole=not _is_partial(found))


def _is_partial(answers: tuple[Read | Unread, ...]) -> bool:
    return any(isinstance(each, Unread) for each in answers)


def _gathered(answers: Iterable[Read | Unread]) -> tuple[Shelf, ...]:
    found: dict[str, tuple[int, dict[str, PackageIndex]]] = {}
    for each in answers:
        if isinstance(each, Read):
            packages = found.setdefault(each.catalog, (each.priority, {}))[1]
            packages.update({package.name: index_package(package) for package in each.packages})
    return tuple(Shelf(name, priority, packages) for name, (priority, packages) in found.items())
