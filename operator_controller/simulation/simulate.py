"""One extension before and after a catalog is replaced: two resolutions, compared."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from olmv1.versions import VersionRelease, quoted
from operator_controller.explanation import Surroundings
from operator_controller.explanation.cause import cause_of
from operator_controller.explanation.hops import hops_of
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    DeprecationMessages,
    Request,
    Unresolved,
    resolve,
)
from operator_controller.simulation.outlook import CatalogMove, Outlook, Verdict

__all__ = ["Subject", "simulate"]

Catalogs = tuple[CatalogContent | CatalogProblem, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """An extension: its name, and what its controller asks the resolver."""

    name: str
    request: Request


def simulate(subject: Subject, before: Catalogs, after: Catalogs) -> Outlook:
    """What becomes of the extension when the catalogs `before` are replaced by those `after`.

    Both hold every catalog that the extension sees; a catalog that takes the place of another has its name. Without any
    the extension selects none of them.
    """
    request = subject.request
    first, second = resolve(request, before), resolve(request, after)
    unconcerned = _unconcerned(request, before, after)
    if unconcerned:
        return Outlook(subject.name, request, Verdict.UNCONCERNED, first, second, reason=unconcerned)
    old, new = _deprecations(request, first, before), _deprecations(request, second, after)
    return Outlook(
        name=subject.name,
        request=request,
        verdict=_verdict(request, first, second),
        before=first,
        after=second,
        hops=hops_of(request, second, after).steps,
        reason=cause_of(request, second, after, Surroundings()).message if isinstance(second, Unresolved) else "",
        deprecations=tuple(text for text in new if text not in old),
        catalog_move=_move(request, first, second, {each.name for each in before}),
    )


def _unconcerned(request: Request, before: Catalogs, after: Catalogs) -> str:
    if not before and not after:
        return "it selects none of these catalogs"
    if any(isinstance(each, CatalogProblem) or each.package is not None for each in (*before, *after)):
        return ""
    return f"package {quoted(request.package)} is in none of these catalogs"


def _verdict(request: Request, before: Chosen | Unresolved, after: Chosen | Unresolved) -> Verdict:
    if isinstance(after, Unresolved):
        if after.problem_catalogs:
            return Verdict.UNKNOWN
        is_stranded = request.installed is not None and isinstance(before, Chosen)
        return Verdict.STRANDED if is_stranded else Verdict.BLOCKED
    if after.is_installed:
        return Verdict.UNCHANGED
    if request.installed is None:
        return Verdict.INSTALL
    return Verdict.UPGRADE if _is_higher(after, request) else Verdict.CHANGE


def _is_higher(chosen: Chosen, request: Request) -> bool:
    installed = request.installed
    try:
        return installed is None or chosen.version > VersionRelease.parse(installed.version, installed.release)
    except ValueError:
        return False


def _deprecations(request: Request, answer: Chosen | Unresolved, catalogs: Catalogs) -> tuple[str, ...]:
    """What is said of the bundle that the extension ends on: the chosen one, else the installed one."""
    if isinstance(answer, Chosen):
        return answer.deprecations.about(request.channels, answer.bundle.name).all
    contents = (each for each in catalogs if isinstance(each, CatalogContent))
    messages = (
        each.package.deprecations.about(request.channels, request.installed_name) if each.package else _SILENCE
        for each in contents
    )
    return tuple(dict.fromkeys(text for found in messages for text in found.all))


_SILENCE = DeprecationMessages()


def _move(
    request: Request, before: Chosen | Unresolved, after: Chosen | Unresolved, known: Container[str]
) -> CatalogMove | None:
    """From the recorded catalog, if it is one of the `known`, else from the one that would have been chosen."""
    if isinstance(after, Unresolved):
        return None
    recorded = request.installed.catalog if request.installed is not None else None
    origin = recorded if recorded in known else before.catalog if isinstance(before, Chosen) else None
    return CatalogMove(origin, after.catalog) if origin is not None and origin != after.catalog else None
