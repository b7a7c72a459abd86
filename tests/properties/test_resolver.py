"""Laws of resolution that hold for every package."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.fbc import Package
from olmv1.versions import Range, VersionRelease
from operator_controller.resolver import CatalogContent, CatalogProblem, Chosen, Request, Unresolved, resolve
from tests.packages import a_catalog, a_package, an_installed

_quick = settings(derandomize=True, deadline=None, max_examples=75)

_VERSIONS = ("0.9.0", "1.0.0", "1.0.0+1", "1.0.0-rc.1", "1.1.0", "2.0.0")
_CHANNELS = ("fast", "stable")
_version = st.sampled_from(_VERSIONS)


@st.composite
def _entries(draw: st.DrawFn) -> list[str]:
    entries = []
    for version in draw(st.lists(_version, unique=True, max_size=4)):
        edges = []
        if draw(st.booleans()):
            edges.append(f"R {draw(_version)}")
        if draw(st.booleans()):
            edges.append(f"S {draw(_version)} {draw(_version)}")
        if draw(st.booleans()):
            edges.append(f"SR <{draw(_version)}")
        entries.append(f"{version} ({'; '.join(edges)})" if edges else version)
    return entries


packages = st.builds(
    a_package,
    st.lists(_version, unique=True, max_size=5),
    st.fixed_dictionaries({}, optional={name: _entries() for name in _CHANNELS}),
    st.lists(_version, unique=True, max_size=2),
)


@st.composite
def _catalogs(draw: st.DrawFn) -> list[tuple[str, int, Package | None]]:
    names = draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3))
    return [(name, draw(st.integers(0, 1)), draw(st.none() | packages)) for name in names]


_installed = st.builds(an_installed, _version, catalog=st.sampled_from([None, "a", "b"]))
requests = st.builds(
    Request,
    package=st.just("p"),
    range_text=st.sampled_from([None, ">=1", "<2", "1.0.0", "1.0.0+1", ">=0.9.0-0", "!=1.1.0"]),
    channels=st.sampled_from([(), ("stable",), ("fast", "unknown")]),
    policy=st.sampled_from(["CatalogProvided", "SelfCertified"]),
    installed=st.none() | _installed,
    hold_major=st.booleans(),
)


def _shuffled(package: Package) -> Package:
    channels = [msgspec.structs.replace(each, entries=each.entries[::-1]) for each in package.channels]
    return msgspec.structs.replace(package, channels=tuple(reversed(channels)), bundles=package.bundles[::-1])


def _content(name: str, priority: int, package: Package | None) -> CatalogContent | CatalogProblem:
    return CatalogProblem(name, priority, "no route") if package is None else a_catalog(package, name, priority)


def _shown(answer: Chosen | Unresolved) -> object:
    trace = answer.trace.to_json()
    if isinstance(answer, Chosen):
        return answer.bundle, answer.version, answer.catalog, answer.is_installed, answer.notes, trace
    return answer.message, answer.is_terminal, answer.problem_catalogs, answer.notes, trace


@_quick
@given(requests, _catalogs())
def test_order_of_catalogs_and_blobs_never_matters(
    request: Request, catalogs: Sequence[tuple[str, int, Package | None]]
) -> None:
    turned = [
        _content(name, priority, package and _shuffled(package)) for name, priority, package in reversed(catalogs)
    ]
    assert _shown(resolve(request, [_content(*each) for each in catalogs])) == _shown(resolve(request, turned))


@_quick
@given(requests, packages)
def test_inputs_stay_unchanged(request: Request, package: Package) -> None:
    before, asked = msgspec.json.encode(package), repr(request)
    catalogs = [a_catalog(package)]
    first, given_ = resolve(request, catalogs), list(catalogs)
    assert _shown(resolve(request, catalogs)) == _shown(first)
    assert (msgspec.json.encode(package), repr(request), catalogs) == (before, asked, given_)


@_quick
@given(requests, packages)
def test_chosen_bundle_fulfils_the_request(request: Request, package: Package) -> None:
    answer = resolve(request, [a_catalog(package)])
    if isinstance(answer, Unresolved):
        return
    members = {
        entry.name for channel in package.channels if channel.name in request.channels for entry in channel.entries
    }
    assert not request.channels or answer.bundle.name in members
    assert not request.range_text or Range.parse(request.range_text).contains(answer.version.version)


@_quick
@given(requests, packages)
def test_lower_version_is_chosen_only_when_something_excludes_the_installed(request: Request, package: Package) -> None:
    answer = resolve(request, [a_catalog(package)])
    if isinstance(answer, Unresolved) or request.installed is None or request.range_text or request.channels:
        return
    installed = VersionRelease.parse(request.installed.version, None)
    is_respin = answer.version.version.key[:3] == installed.version.key[:3]
    assert answer.version >= installed or is_respin


@_quick
@given(packages, _version)
def test_automatic_upgrades_come_to_rest(package: Package, start: str) -> None:
    catalogs, here, seen = [a_catalog(package)], start, set[str]()
    while here not in seen:
        seen.add(here)
        answer = resolve(Request("p", installed=an_installed(here)), catalogs)
        if isinstance(answer, Unresolved) or answer.is_installed:
            return
        here = answer.bundle.name.removeprefix("p.v")
    raise AssertionError(f"{start} leads round in circles over {sorted(seen)}")
