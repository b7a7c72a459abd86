"""The resolver and the oracle agree on whatever small catalogs hypothesis thinks of."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from olmv1.versions import Range, SkipRange, Version
from tests.asked_twice import Catalogs, CatalogSpec, answers
from tests.oracle import Asking, Having, blang, masterminds
from tests.oracle.semver import UnreadableError, semver
from tests.properties.test_versions import range_texts, version_texts

_thorough = settings(derandomize=True, deadline=None, max_examples=160)
_quick = settings(derandomize=True, deadline=None, max_examples=80)

_NAMES = ("p.a", "p.b", "p.c", "p.d", "p.e")
_VERSIONS = ("0.9.0", "1.0.0", "1.0.0+1", "1.0.0+2", "1.0.0-rc.1", "1.0.1", "1.1.0", "1.2.0-0", "2.0.0", "2.1.0", "v1")
_names = st.sampled_from(_NAMES)
_versions = st.sampled_from(_VERSIONS)
_releases = st.sampled_from([None, None, None, None, "", "1", "2", "01"])
_channels = st.sampled_from(["beta", "fast", "stable"])
_skip_ranges = st.sampled_from([">=0.9.0 <1.0.0", "<=1.0.0", ">=1.0.0 <2.0.0 || =2.0.0", "1.0.x", "<v2.0.0"])
_RANGES = (">=1", "<2", "1.0.0", "1.0.0+1", ">=0.9.0-0", "!=1.1.0", "<1.0.0-0", ">")
_kubernetes = st.sampled_from(["1.28.0", "1.30", "v1.29.3", "soon"])


@st.composite
def _entry(draw: st.DrawFn) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": draw(_names)}
    if draw(st.booleans()):
        entry["replaces"] = draw(_names)
    if draw(st.booleans()):
        entry["skips"] = draw(st.lists(_names, max_size=3))
    if draw(st.integers(0, 3)) == 0:
        entry["skipRange"] = draw(_skip_ranges)
    return entry


@st.composite
def _bundle(draw: st.DrawFn, name: str) -> dict[str, Any]:
    identity: dict[str, Any] = {"packageName": "p", "version": draw(_versions)}
    if (release := draw(_releases)) is not None:
        identity["release"] = release
    properties: list[dict[str, Any]] = [{"type": "olm.package", "value": identity}]
    if draw(st.integers(0, 4)) == 0:
        properties.append({"type": "olm.csv.metadata", "value": {"minKubeVersion": draw(_kubernetes)}})
    if draw(st.integers(0, 6)) == 0:
        csv = {"kind": "ClusterServiceVersion", "spec": {"minKubeVersion": draw(_kubernetes)}}
        data = base64.b64encode(json.dumps(csv).encode()).decode()
        properties.append({"type": "olm.bundle.object", "value": {"data": data}})
    if draw(st.integers(0, 6)) == 0:
        properties.append({"type": "olm.kubeversion", "value": {"version": draw(_kubernetes)}})
    image = f"{draw(st.sampled_from(['one', 'two']))}.example/p:{name}"
    return {"schema": "olm.bundle", "package": "p", "name": name, "image": image, "properties": properties}


@st.composite
def blobs_of_packages(draw: st.DrawFn) -> list[Mapping[str, Any]]:
    bundles = [draw(_bundle(name)) for name in draw(st.lists(_names, unique=True, min_size=1, max_size=5))]
    channels: list[Mapping[str, Any]] = [
        {"schema": "olm.channel", "package": "p", "name": name, "entries": draw(_entries)}
        for name in draw(st.lists(_channels, unique=True, max_size=3))
    ]
    gone = [
        {"reference": {"schema": "olm.bundle", "name": name}, "message": "old"}
        for name in draw(st.lists(_names, unique=True, max_size=2))
    ]
    return [*bundles, *channels, {"schema": "olm.deprecations", "package": "p", "entries": gone}]


_entries = st.lists(_entry(), max_size=5)
_spec = st.builds(
    CatalogSpec,
    name=st.just(""),
    blobs=st.none() | blobs_of_packages() | blobs_of_packages() | blobs_of_packages() | blobs_of_packages(),
    priority=st.integers(0, 1),
    problem=st.sampled_from([None, None, None, None, "no route"]),
)


@st.composite
def catalog_specs(draw: st.DrawFn) -> list[CatalogSpec]:
    specs = draw(st.lists(_spec, min_size=1, max_size=3))
    return [replace(each, name=name) for name, each in zip("abc", specs, strict=False)]


_having = st.builds(
    Having,
    _names,
    st.sampled_from([*_VERSIONS[:-1], "1.0.0+01", "1.0.0", "1.0.0", "bad"]),
    st.sampled_from([None, None, "", "1", "2"]),
    st.sampled_from([None, "a", "b"]),
)
askings = st.builds(
    Asking,
    package=st.just("p"),
    version=st.sampled_from([None] * 6 + list(_RANGES)),
    channels=st.sampled_from([(), (), ("stable",), ("fast", "stable"), ("beta", "unknown")]),
    is_self_certified=st.booleans(),
    having=st.none() | _having | _having,
    hold_major=st.booleans(),
    kube_version=st.sampled_from([None, None, "1.28.0", "1.29.3-gke.5", "1.30.0"]),
)


@_thorough
@given(askings, catalog_specs())
def test_resolver_answers_as_the_oracle_does(asking: Asking, specs: list[CatalogSpec]) -> None:
    ours, expected = answers(asking, Catalogs("p", specs))
    event(expected.error.partition(" for ")[0][:60] or "chosen")
    assert ours == expected


@_thorough
@given(askings, blobs_of_packages())
def test_resolver_answers_as_the_oracle_does_on_one_catalog(asking: Asking, blobs: list[Mapping[str, Any]]) -> None:
    ours, expected = answers(asking, Catalogs("p", [CatalogSpec("a", blobs)]))
    assert ours == expected


@_quick
@given(range_texts, st.lists(version_texts, min_size=1, max_size=8))
def test_ranges_mean_what_the_oracle_reads(text: str, versions: list[str]) -> None:
    ours, expected = Range.parse(text), masterminds.parse(text)
    for version in versions:
        assert ours.contains(Version.parse(version)) == masterminds.contains(expected, semver(version))


_TOKENS = (
    ">=1.0.0",
    "<2.0.0",
    "< 2.0.0",
    "!1.2.0",
    "!=1.x",
    "1.2.x",
    ">1.x",
    "<=1.x",
    "=1.0.0-beta",
    "||",
    "x",
    "~1.2.x",
)
_SKIP_RANGE = st.lists(st.sampled_from(_TOKENS), max_size=5).map(" ".join)


@_quick
@given(_SKIP_RANGE, st.lists(version_texts, min_size=1, max_size=8))
def test_skip_ranges_mean_what_the_oracle_reads(text: str, versions: list[str]) -> None:
    try:
        ours = SkipRange.parse(text)
    except ValueError:
        ours = None
    try:
        expected = blang.parse(text)
    except UnreadableError:
        assert ours is None
        return
    assert ours is not None
    for version in versions:
        assert ours.contains(Version.parse(version)) == blang.contains(expected, semver(version))


# Pieces of ranges of both languages, and what must not occur in them.
_SOUP = st.lists(
    st.sampled_from(
        ["1", "20", "01", "0", ".", "x", "*", "X", "||", " ", " - ", ",", "v", "-a", "-0", "+b", *"><=~^!|\t"]
    ),
    max_size=12,
).map("".join)


@_thorough
@given(_SOUP)
def test_ranges_are_read_when_the_oracle_reads_them(text: str) -> None:
    assert _is_read(Range.parse, text, ValueError) == _is_read(masterminds.parse, text, UnreadableError)
    assert _is_read(SkipRange.parse, text, ValueError) == _is_read(blang.parse, text, UnreadableError)


def _is_read(parse: Callable[[str], object], text: str, error: type[Exception]) -> bool:
    try:
        parse(text)
    except error:
        return False
    return True
