"""Laws of explanations that hold for every package, and routes against a search that only asks the resolver."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olmv1.fbc import Package
from operator_controller.explanation import HEADLINE_LIMIT, Route, Step, explain, headline
from operator_controller.explanation.hops import hops_of
from operator_controller.explanation.neighbourhood import Neighbourhood
from operator_controller.explanation.reading import version_of
from operator_controller.explanation.route import route_of
from operator_controller.explanation.step import recorded, step_to
from operator_controller.resolver import CatalogContent, CatalogProblem, Chosen, Request, resolve
from tests.packages import a_catalog, a_package, an_installed

_quick = settings(derandomize=True, deadline=None, max_examples=80)

_VERSIONS = ("0.9.0", "1.0.0", "1.0.1-rc.1", "1.0.1", "1.1.0", "2.0.0", "2.1.0")
_RELEASES = ("1.0.0+1", "1.0.0+2", "2.0.0+1")


_EDGES = [f"{kind}{version}" for kind in ("R ", "S ", "SR <") for version in _VERSIONS]
_edge = st.sampled_from(["", *_EDGES])
_entries = st.lists(
    st.tuples(
        st.sampled_from((*_VERSIONS, *_RELEASES)), st.sampled_from(["", *_EDGES]), st.sampled_from(["", *_EDGES])
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda entry: entry[0],
)


def _entry(name: str, *edges: str) -> str:
    by_kind = {edge.partition(" ")[0]: edge for edge in edges if edge}
    return f"{name} ({'; '.join(by_kind.values())})" if by_kind else name


def _package(fast: list[tuple[str, str, str]], stable: list[tuple[str, str, str]], deprecated: list[str]) -> Package:
    channels = {"fast": [_entry(*each) for each in fast], "stable": [_entry(*each) for each in stable]}
    return a_package(sorted({name for name, *_ in (*fast, *stable)}), channels, deprecated)


_any_package = st.builds(_package, _entries, _entries, st.lists(st.sampled_from(_VERSIONS), max_size=1))
_requests = st.builds(
    Request,
    package=st.just("p"),
    range_text=st.sampled_from([None, ">=1", "<1.1", "2.0.0", "1.0.0+1", ">1 <1", "!=", "2.1.0"]),
    channels=st.sampled_from([(), ("stable",), ("fast", "unknown")]),
    policy=st.sampled_from(["CatalogProvided", "SelfCertified"]),
    installed=st.none() | st.builds(an_installed, st.sampled_from(_VERSIONS), catalog=st.sampled_from([None, "b"])),
    hold_major=st.booleans(),
)
_places = st.lists(st.tuples(st.integers(0, 1), st.none() | _any_package), min_size=1, max_size=2)


def _catalogs(places: list[tuple[int, Package | None]]) -> list[CatalogContent | CatalogProblem]:
    return [
        CatalogProblem(name, priority, "no route") if package is None else a_catalog(package, name, priority)
        for name, (priority, package) in zip("abc", places, strict=False)
    ]


def _shuffled(package: Package | None) -> Package | None:
    if package is None:
        return None
    channels = [msgspec.structs.replace(each, entries=each.entries[::-1]) for each in package.channels]
    return msgspec.structs.replace(package, channels=tuple(reversed(channels)), bundles=package.bundles[::-1])


@_quick
@given(_requests, _places)
def test_explanation_does_not_depend_on_any_order(request: Request, places: list[tuple[int, Package | None]]) -> None:
    first = _catalogs(places)
    second = _catalogs([(priority, _shuffled(package)) for priority, package in places])[::-1]
    found = [explain(request, each, resolve(request, each)) for each in (first, second)]
    assert found[0].to_json() == found[1].to_json()
    assert headline(found[0]) == headline(found[1])
    assert 0 < len(headline(found[0])) <= HEADLINE_LIMIT


@_quick
@given(_requests, _places)
def test_every_refusal_has_a_cause_and_every_alternative_holds(
    request: Request, places: list[tuple[int, Package | None]]
) -> None:
    catalogs = _catalogs(places)
    found = explain(request, catalogs, resolve(request, catalogs))
    assert (found.cause is None) == (not found.decision.message)
    assert not found.alternatives or found.cause is not None


@_quick
@given(_requests, _places)
def test_hops_are_those_of_the_whole_catalogs(request: Request, places: list[tuple[int, Package | None]]) -> None:
    catalogs = tuple(_catalogs(places))
    hops = hops_of(request, resolve(request, catalogs), catalogs)
    for step in hops.steps:
        near = Neighbourhood(catalogs).around(request)
        answers = [resolve(request, each) for each in (catalogs, near)]
        assert [each.bundle.name for each in answers if isinstance(each, Chosen)] == [step.bundle, step.bundle]
        request = replace(request, installed=recorded(step))
    end = resolve(request, catalogs)
    assert isinstance(end, Chosen) == (not hops.message)


def _distances(request: Request, catalog: CatalogContent) -> dict[str, int]:
    """Bundle → the fewest upgrades to it, each asked of the resolver with its version."""
    assert catalog.package is not None
    steps = [step_to(each, catalog.name, None, None) for each in catalog.package.candidates]
    found, level, distance = {request.installed_name: 0}, [request], 0
    while level:
        distance += 1
        following = []
        for here in level:
            for step in steps:
                if step.bundle not in found and _is_legal(here, step, catalog):
                    found[step.bundle] = distance
                    following.append(replace(here, installed=recorded(step)))
        level = following
    return found


def _is_legal(request: Request, step: Step, catalog: CatalogContent) -> bool:
    answer = resolve(replace(request, range_text=step.pin), [catalog])
    return isinstance(answer, Chosen) and answer.bundle.name == step.bundle


@st.composite
def _walks(draw: st.DrawFn) -> tuple[Request, CatalogContent]:
    """A package whose versions mostly follow each other, and a request from one of them to another."""
    entries = []
    for number, version in enumerate(_VERSIONS):
        kind = draw(st.sampled_from(["", "R", "R", "S", "SR <", "SR >"]))
        origin = _VERSIONS[draw(st.integers(max(number - 2, 0), min(number + 1, len(_VERSIONS) - 1)))]
        separator = "" if "SR" in kind else " "
        entries.append(f"{version} ({kind}{separator}{origin})" if kind and origin != version else version)
    fast = draw(st.lists(st.sampled_from(entries), max_size=3, unique=True))
    deprecated = draw(st.lists(st.sampled_from(_VERSIONS), max_size=1))
    package = a_package(_VERSIONS, {"stable": entries, "fast": fast}, deprecated)
    installed, wanted = draw(st.permutations(_VERSIONS))[:2]
    channels = draw(st.sampled_from([(), (), ("stable",)]))
    text = draw(st.sampled_from([wanted, wanted, f">={wanted}", None]))
    hold = draw(st.booleans())
    request = Request("p", text, channels, installed=an_installed(installed), hold_major=hold)
    return request, a_catalog(package)


@_quick
@given(_walks())
def test_route_is_legal_and_the_shortest(walk: tuple[Request, CatalogContent]) -> None:
    request, catalog = walk
    route = route_of(request, (catalog,))
    assume(route is not None)
    assert route is not None
    distances = _distances(request, catalog)
    assert route.refusal == ""
    if route.steps:
        assert distances[route.reached] == len(route.steps)
    if not route.reaches_wanted:
        assert route.wanted not in distances or _is_back(request, route, catalog)


def _is_back(request: Request, route: Route, catalog: CatalogContent) -> bool:
    """Whether the wanted bundle is lower than the installed one: nobody walks back unless the range asks for it."""
    assert catalog.package is not None
    wanted, installed = catalog.package.by_name[route.wanted].version, version_of(request.installed)
    assert wanted is not None
    assert installed is not None
    return wanted < installed
