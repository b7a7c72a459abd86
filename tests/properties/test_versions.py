"""Laws of versions and ranges that hold for every input."""

from __future__ import annotations

import re2
import semantic_version
from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.versions import VERSION_PATTERN, Range, SkipRange, Version, VersionRelease, opened
from olmv1.versions.version_set import VersionSet

_quick = settings(derandomize=True, deadline=None, max_examples=102)

_NUMBERS = st.integers(0, 3)
_IDENTIFIERS = st.sampled_from(["0", "1", "10", "alpha", "beta", "rc-1"])
_PRERELEASES = st.lists(_IDENTIFIERS, min_size=1, max_size=2).map(lambda parts: "-" + ".".join(parts))
_BUILDS = st.sampled_from(["", "+1", "+001", "+el9"])
_CORES = st.tuples(_NUMBERS, _NUMBERS, _NUMBERS).map(lambda each: ".".join(map(str, each)))
version_texts = st.builds("{}{}{}".format, _CORES, st.one_of(st.just(""), _PRERELEASES), _BUILDS)
versions = version_texts.map(Version.parse)

_PARTS = st.sampled_from(["0", "1", "2", "3", "x", "*"])
_OPEN = st.lists(_PARTS, min_size=1, max_size=3).map(".".join)
_OPERATORS = st.sampled_from(["", "=", "!=", ">", "<", ">=", "<=", "=>", "=<", "~", "~>", "^"])
_COMPARATORS = st.builds("{}{}{}".format, _OPERATORS, _OPEN, st.sampled_from(["", "", "", "-0", "-beta"]))
_GROUPS = st.lists(_COMPARATORS, min_size=1, max_size=3).map(", ".join)
range_texts = st.lists(_GROUPS, min_size=1, max_size=3).map(" || ".join)

_BLANG_OPERATORS = st.sampled_from(["", "=", "==", "!=", ">", "<", ">=", "<="])
_BLANG_VERSIONS = st.one_of(version_texts, st.sampled_from(["1.x", "2.x", "1.2.x", "0.1.x"]))
_BLANG_GROUPS = st.lists(st.builds("{}{}".format, _BLANG_OPERATORS, _BLANG_VERSIONS), min_size=1, max_size=3)
skip_range_texts = st.lists(_BLANG_GROUPS.map(" ".join), min_size=1, max_size=3).map(" || ".join)

# Everything that occurs in ranges, and a few characters that must not.
_SOUP = st.lists(
    st.sampled_from(
        ["1", "2", "0", ".", "x", "*", "|", "||", " ", " - ", ",", "v", "-a", "+b", ">", "=", "<", "~", "^"]
    ),
    max_size=14,
).map("".join)


@_quick
@given(version_texts)
def test_version_text_survives(text: str) -> None:
    assert str(Version.parse(text)) == text


@_quick
@given(versions, versions)
def test_version_order_is_the_librarys(left: Version, right: Version) -> None:
    bare = [semantic_version.Version(each.text).truncate("prerelease") for each in (left, right)]
    assert (left < right) == (bare[0] < bare[1])
    assert (left == right) == (bare[0] == bare[1])


@_quick
@given(st.lists(version_texts, max_size=6))
def test_version_release_order_is_total(texts: list[str]) -> None:
    parsed = [VersionRelease.parse(text, None) for text in texts]
    backwards = parsed[::-1]
    assert [each.key for each in sorted(parsed)] == [each.key for each in sorted(backwards)]


@_quick
@given(range_texts, versions)
def test_range_ignores_build_metadata(text: str, version: Version) -> None:
    assert Range.parse(text).contains(version) == Range.parse(text).contains(version.without_build())


@_quick
@given(_GROUPS, _GROUPS, versions)
def test_range_of_alternatives_contains_what_either_does(left: str, right: str, version: Version) -> None:
    either = Range.parse(left).contains(version) or Range.parse(right).contains(version)
    assert Range.parse(f"{left} || {right}").contains(version) == either


@_quick
@given(_GROUPS, _GROUPS, _CORES.map(Version.parse))
def test_range_of_both_contains_what_both_do_without_prereleases(left: str, right: str, version: Version) -> None:
    both = Range.parse(left).contains(version) and Range.parse(right).contains(version)
    assert Range.parse(f"{left} {right}").contains(version) == both


@_quick
@given(range_texts, versions)
def test_range_hides_prereleases_only(text: str, version: Version) -> None:
    asked = Range.parse(text)
    if asked.hides(version):
        assert version.is_prerelease
        assert not asked.contains(version)


@_quick
@given(range_texts, _CORES.map(Version.parse))
def test_opened_range_contains_the_same_releases(text: str, version: Version) -> None:
    asked = Range.parse(text)
    if opened(asked):
        assert Range.parse(opened(asked)).contains(version) == asked.contains(version)


@_quick
@given(_SOUP)
def test_pattern_admits_whatever_the_parser_accepts(text: str) -> None:
    try:
        Range.parse(text)
    except ValueError:
        return
    assert re2.search(VERSION_PATTERN, text) is not None


@_quick
@given(_BLANG_GROUPS, _BLANG_GROUPS, versions)
def test_skip_range_of_alternatives_contains_what_either_does(
    left: list[str], right: list[str], version: Version
) -> None:
    texts = [" ".join(left), " ".join(right)]
    either = any(SkipRange.parse(text).contains(version) for text in texts)
    assert SkipRange.parse(" || ".join(texts)).contains(version) == either


@_quick
@given(_BLANG_GROUPS, versions)
def test_skip_range_contains_what_every_comparator_does(group: list[str], version: Version) -> None:
    every = all(SkipRange.parse(text).contains(version) for text in group)
    assert SkipRange.parse(" ".join(group)).contains(version) == every


@_quick
@given(skip_range_texts, skip_range_texts, versions)
def test_version_sets_obey_de_morgan(left: str, right: str, version: Version) -> None:
    sets = [SkipRange.parse(text).admitted for text in (left, right)]
    union = VersionSet.union(sets).complement()
    assert union == VersionSet.intersection(each.complement() for each in sets)
    assert union.contains(version.key) == (not any(each.contains(version.key) for each in sets))
