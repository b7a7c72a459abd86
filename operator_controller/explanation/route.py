"""The shortest legal way from the installed bundle to the wanted version, step by step.

Every step is put to the resolver with a version that asks for exactly it: a route is a proof, not a drawing.
Rule: issue "The trace": the shortest legal route to the wanted version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from olmv1.versions import VersionRelease
from operator_controller.explanation.hops import hops_of
from operator_controller.explanation.neighbourhood import Neighbourhood
from operator_controller.explanation.reach import Reached, reachable
from operator_controller.explanation.reading import Catalogs, range_of, version_of
from operator_controller.explanation.step import Step, pin_of, recorded, step_to
from operator_controller.explanation.wanted import Wanted, wanted_bundles
from operator_controller.resolver import Chosen, Request, resolve
from operator_controller.resolver.question import is_pin_fulfilled

__all__ = ["Route", "route_of"]


@dataclass(frozen=True, slots=True)
class Route:
    """The way to `wanted`, the version that a first install of the same request would take.

    `steps` end at `reached`, which is another bundle that fits the request when no route leads to the wanted one; no
    steps: nothing that fits can be reached. `refusal`: what the resolver says to a step of a route that is none after
    all, for example because catalogs tie. `by_itself`: the version range with which the controller walks to the same
    end alone, empty for a request without any; `None` when every step must be asked for.
    """

    wanted: str
    wanted_version: str
    wanted_catalog: str
    steps: tuple[Step, ...]
    refusal: str = ""
    by_itself: str | None = None

    @property
    def reached(self) -> str:
        """The bundle at the end; empty without steps."""
        return self.steps[-1].bundle if self.steps else ""

    @property
    def reaches_wanted(self) -> bool:
        """Whether the route ends at the wanted bundle."""
        return self.reached == self.wanted


def route_of(request: Request, catalogs: Catalogs) -> Route | None:
    """The route; `None` when nothing is installed, nothing fits at all, or what is installed is what is wanted."""
    if request.installed is None:
        return None
    targets = wanted_bundles(request, catalogs)
    origin = version_of(request.installed)
    if not targets or targets[0].name == request.installed_name:
        return None
    best = targets[0]
    steps = _steps(request, catalogs, targets, origin)
    return Route(
        wanted=best.name,
        wanted_version=pin_of(best.version),
        wanted_catalog=best.catalog.name,
        steps=steps,
        refusal=_refusal(request, steps, catalogs),
        by_itself=_by_itself(request, steps, catalogs),
    )


def _steps(
    request: Request, catalogs: Catalogs, targets: tuple[Wanted, ...], origin: VersionRelease | None
) -> tuple[Step, ...]:
    found = reachable(request, catalogs)
    # Nobody walks to what is lower than the installed version, unless the request excludes that one.
    may_go_back = origin is None or not _admits(request, origin)
    ends = (each for each in targets if each.name in found and (may_go_back or origin is None or each.version > origin))
    end = next(ends, None)
    return () if end is None else _walked(found, end.name, origin)


def _admits(request: Request, version: VersionRelease) -> bool:
    wanted = range_of(request.range_text)
    return wanted is None or (wanted.contains(version.version) and is_pin_fulfilled(wanted, version))


def _walked(found: Mapping[str, Reached], end: str, origin: VersionRelease | None) -> tuple[Step, ...]:
    back: list[Reached] = []
    name = end
    while name in found:
        back.append(found[name])
        name = found[name].previous
    steps: list[Step] = []
    for each in reversed(back):
        steps.append(step_to(each.candidate, each.catalog, each.edge, origin))
        origin = each.version
    return tuple(steps)


def _refusal(request: Request, steps: tuple[Step, ...], catalogs: Catalogs) -> str:
    nearby = Neighbourhood(catalogs)
    for step in steps:
        pinned = replace(request, range_text=step.pin)
        answer = resolve(pinned, nearby.around(pinned))
        if not isinstance(answer, Chosen):
            return answer.message
        if answer.bundle.name != step.bundle:
            return f'version "{step.pin}" gives bundle "{answer.bundle.name}" instead of "{step.bundle}"'
        request = replace(request, installed=recorded(step))
    return ""


def _by_itself(request: Request, steps: tuple[Step, ...], catalogs: Catalogs) -> str | None:
    """A range from the installed version to the end, or none at all, if it leads there without a further hand."""
    if not steps or request.installed is None:
        return None
    between = f">={_plain(request.installed.version)} <={_plain(steps[-1].version)}"
    for text in (between, "") if request.range_text else ("", between):
        wider = replace(request, range_text=text or None)
        if hops_of(wider, resolve(wider, catalogs), catalogs).last == steps[-1].bundle:
            return text
    return None


def _plain(version: str) -> str:
    return version.partition("+")[0]
