"""The way out of a block: the first bundle that no longer blocks, the legal route to it, and what must be changed.

Every route is put to the resolver step by step. Changes of the extension are tried in the order in which they hurt:
none, its version, its channels, the major version that it holds, its policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from olmv1.versions import quoted
from operator_controller.explanation.hops import hops_of
from operator_controller.explanation.reach import reachable
from operator_controller.explanation.reading import Catalogs, version_of, with_package
from operator_controller.explanation.route import Route, route_of
from operator_controller.explanation.step import Step, pin_of, recorded, step_of_choice
from operator_controller.resolver import Candidate, CatalogProblem, Chosen, Request, kubernetes_version, resolve
from operator_controller.upgrade_plan.offered import maximum_of

__all__ = ["Change", "Successor", "WayOut", "obstacle_of", "successors_of", "way_out"]

Admits = Callable[[Candidate], bool]
_TRIED = 5
"""Bundles tried for each change of the extension, the lowest version first."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something to change at the extension; `spec` are fields of `spec.source.catalog`, `None` for one to remove."""

    text: str
    spec: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WayOut:
    """`steps` lead to `bundle`, the first that does not block; `max` is empty when it declares none.

    `by_itself`: the controller walks there as soon as `changes` are made; else each step must be asked for by its pin.
    `ends_at` is where it then stops, when that is a later bundle.
    """

    bundle: str
    version: str
    catalog: str
    channel: str
    max: str
    steps: tuple[Step, ...]
    by_itself: bool
    changes: tuple[Change, ...] = ()
    ends_at: str = ""

    @property
    def is_allowed(self) -> bool:
        """Whether version, channels and policy of the extension let it happen as they are."""
        return not self.changes


@dataclass(frozen=True, slots=True)
class Successor:
    """A later bundle that does not block, whether or not anything leads to it."""

    bundle: str
    version: str
    catalog: str
    max: str


@dataclass(frozen=True, slots=True)
class _Widened:
    """The request after some changes."""

    request: Request
    changes: tuple[Change, ...]


def successors_of(request: Request, catalogs: Catalogs, admits: Admits) -> tuple[Successor, ...]:
    """Every later bundle that does not block, in any catalog, highest version first."""
    found = [(each, place) for each, place in _later(request, catalogs) if admits(each)]
    found.sort(key=lambda pair: _key(pair[0]), reverse=True)
    return tuple(Successor(each.name, _pin(each), place, _maximum(each)) for each, place in found)


def way_out(request: Request, catalogs: Catalogs, admits: Admits) -> WayOut | None:
    """The way that changes the extension least; `None` when there is none, or nothing is installed."""
    if request.installed is None:
        return None
    unblocking = sorted(
        (each for each, _ in _later(request, catalogs) if admits(each)),
        key=lambda each: (each.is_deprecated, _key(each)),
    )
    if not unblocking:
        return None
    for widened in _widenings(request):
        found = _by_hops(widened, catalogs, admits) or _by_route(widened, request, catalogs, unblocking)
        if found is not None:
            return found
    return None


def obstacle_of(request: Request, catalogs: Catalogs, admits: Admits) -> str:
    """Why there is no way out, in a sentence."""
    package = quoted(request.package)
    if not catalogs:
        return "no catalog was looked into; name one with --catalog"
    unusable = [each.message for each in catalogs if isinstance(each, CatalogProblem)]
    if not with_package(catalogs):
        return "; ".join(unusable) or f"package {package} is in none of the catalogs"
    unblocking = [each for each, _ in _later(request, catalogs) if admits(each)]
    if not unblocking:
        after = f" after {request.installed.version}" if request.installed is not None else ""
        return f"no catalog has a bundle of package {package}{after} that allows the upgrade"
    held = _too_new(request, catalogs, unblocking)
    if held:
        return held
    return f"no legal route leads to {quoted(min(unblocking, key=_key).name)}, which would allow the upgrade"


def _later(request: Request, catalogs: Catalogs) -> Iterator[tuple[Candidate, str]]:
    """Bundles with a readable version above the installed one, and their catalogs."""
    installed = version_of(request.installed)
    for catalog, index in with_package(catalogs):
        for each in index.candidates:
            if each.version is not None and (installed is None or each.version > installed):
                yield each, catalog.name


def _widenings(request: Request) -> Iterator[_Widened]:
    certified = Change(
        "set upgradeConstraintPolicy to SelfCertified: no edge of the catalog vouches for the step",
        {"upgradeConstraintPolicy": "SelfCertified"},
    )
    anywhere = Change(
        f"remove its channels [{' '.join(request.channels)}], which do not lead there", {"channels": None}
    )
    unheld = Change(f"let it leave major version {_major(request)}, which it holds")
    offers: tuple[tuple[Change, bool, Mapping[str, object]], ...] = (
        (certified, not request.is_self_certified, {"policy": "SelfCertified"}),
        (unheld, request.hold_major, {"hold_major": False}),
        (anywhere, bool(request.channels), {"channels": ()}),
    )
    for wanted in product(*((False, True) if is_possible else (False,) for _, is_possible, _ in offers)):
        taken = [offer for offer, is_taken in zip(offers, wanted, strict=True) if is_taken]
        fields: dict[str, object] = {key: value for _, _, change in taken for key, value in change.items()}
        yield _Widened(replace(request, **fields), tuple(change for change, _, _ in reversed(taken)))  # type: ignore[arg-type]


def _by_hops(widened: _Widened, catalogs: Catalogs, admits: Admits) -> WayOut | None:
    """What follows without a further hand, when it ends at a bundle that does not block."""
    request = widened.request
    steps = hops_of(request, resolve(request, catalogs), catalogs).steps
    free = [number for number, step in enumerate(steps) if _is_free(step, catalogs, admits)]
    if not free or free[-1] != len(steps) - 1:
        return None
    if widened.changes and not _is_higher(steps[free[0]], request):
        return None  # nobody is sent back; the controller itself may go back, when the range says so
    first, last = steps[free[0]], steps[-1]
    return _way(steps[: free[0] + 1], widened.changes, catalogs, ends_at="" if first is last else last.bundle)


def _is_higher(step: Step, request: Request) -> bool:
    before, after = version_of(request.installed), version_of(recorded(step))
    return before is None or (after is not None and after > before)


def _by_route(
    widened: _Widened, original: Request, catalogs: Catalogs, unblocking: Sequence[Candidate]
) -> WayOut | None:
    request = replace(widened.request, range_text=None)
    known = frozenset() if request.is_self_certified else frozenset(reachable(request, catalogs))
    ends = [each for each in unblocking if request.is_self_certified or each.name in known]
    for candidate in ends[:_TRIED]:
        pinned = replace(request, range_text=_pin(candidate))
        steps, text = (
            _leap(pinned, candidate, catalogs) if request.is_self_certified else _walk(pinned, candidate, catalogs)
        )
        if steps:
            return _way(steps, (*widened.changes, _asking(original, steps, text)), catalogs, by_itself=text is not None)
    return None


def _walk(pinned: Request, end: Candidate, catalogs: Catalogs) -> tuple[tuple[Step, ...], str | None]:
    """The steps along edges, and the range that lets the controller walk them alone, if there is one."""
    route: Route | None = route_of(pinned, catalogs)
    if route is None or route.reached != end.name or route.refusal:
        return (), None
    return route.steps, route.steps[0].pin if len(route.steps) == 1 else route.by_itself


def _leap(pinned: Request, end: Candidate, catalogs: Catalogs) -> tuple[tuple[Step, ...], str | None]:
    """The one step that nobody but the user vouches for."""
    answer = resolve(pinned, catalogs)
    if not isinstance(answer, Chosen) or answer.bundle.name != end.name:
        return (), None
    return (step_of_choice(pinned, answer, catalogs),), pinned.range_text


def _asking(original: Request, steps: Sequence[Step], text: str | None) -> Change:
    """The change of `version`."""
    written = f" instead of {quoted(original.range_text)}" if original.range_text else ""
    if text is None:
        pins = ", then ".join(quoted(step.pin) for step in steps)
        return Change(f"set version to {pins}{written}, waiting for each to be installed", {"version": steps[0].pin})
    if not text:
        return Change(f"remove version {quoted(original.range_text or '')}", {"version": None})
    return Change(f"set version to {quoted(text)}{written}", {"version": text})


def _way(
    steps: tuple[Step, ...],
    changes: tuple[Change, ...],
    catalogs: Catalogs,
    *,
    by_itself: bool = True,
    ends_at: str = "",
) -> WayOut:
    end = steps[-1]
    candidate = _candidate(end, catalogs)
    channels = sorted(candidate.channels) if candidate is not None else []
    channel = end.edge.channel if end.edge is not None else next(iter(channels), "")
    maximum = "" if candidate is None else _maximum(candidate)
    return WayOut(end.bundle, end.pin, end.catalog, channel, maximum, steps, by_itself, changes, ends_at)


def _is_free(step: Step, catalogs: Catalogs, admits: Admits) -> bool:
    candidate = _candidate(step, catalogs)
    return candidate is not None and admits(candidate)


def _candidate(step: Step, catalogs: Catalogs) -> Candidate | None:
    places = (index for catalog, index in with_package(catalogs) if catalog.name == step.catalog)
    return next((index.by_name.get(step.bundle) for index in places), None)


def _too_new(request: Request, catalogs: Catalogs, unblocking: Sequence[Candidate]) -> str:
    """What to say when only the Kubernetes of the cluster keeps every unblocking bundle away."""
    cluster = kubernetes_version(request.kube_version or "")
    indexes = [index for _, index in with_package(catalogs)]
    for each in sorted(unblocking, key=_key):
        needs = indexes[0].environments.of(each.bundle)
        if cluster is None or needs.kubernetes <= cluster:
            return ""
    lowest = min(unblocking, key=_key)
    least = indexes[0].environments.of(lowest.bundle).least
    return (
        f"bundle {quoted(lowest.name)} would allow the upgrade, but it needs Kubernetes >= {least}, "
        f"and the cluster has {request.kube_version}"
    )


def _key(candidate: Candidate) -> tuple[object, ...]:
    return () if candidate.version is None else (candidate.version.key, candidate.name)


def _pin(candidate: Candidate) -> str:
    return "" if candidate.version is None else pin_of(candidate.version)


def _maximum(candidate: Candidate) -> str:
    found = maximum_of(candidate.bundle).minor
    return "" if found is None else str(found)


def _major(request: Request) -> str:
    installed = version_of(request.installed)
    return "" if installed is None else str(installed.version.major)
