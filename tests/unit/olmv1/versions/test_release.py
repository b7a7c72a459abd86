from __future__ import annotations

import pytest

from olmv1.versions import Release, VersionRelease

_ASCENDING = ("1", "2", "10", "alpha", "alpha.1", "beta", "el9")


def test_releases_sort_identifier_by_identifier() -> None:
    assert [str(each) for each in sorted(map(Release.parse, reversed(_ASCENDING)))] == list(_ASCENDING)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        pytest.param("", "expected dot-separated letters, digits and hyphens", id="empty"),
        pytest.param("a_b", "expected dot-separated letters, digits and hyphens", id="other characters"),
        pytest.param("a..b", "expected dot-separated letters, digits and hyphens", id="empty identifier"),
        pytest.param("001", 'the number "001" has a leading zero', id="leading zero"),
        pytest.param("a" * 21, "expected at most 20 characters", id="too long"),
        pytest.param("9" * 20, "a number is above 18446744073709551615", id="too high"),
    ],
)
def test_release_refuses(text: str, finding: str) -> None:
    with pytest.raises(ValueError, match="is not a release") as raised:
        Release.parse(text)
    assert str(raised.value) == f'"{text}" is not a release: {finding}'


@pytest.mark.parametrize(
    ("version", "release", "expected"),
    [
        pytest.param("1.0.0", None, ("1.0.0", None), id="none"),
        pytest.param("1.0.0+2", None, ("1.0.0", "2"), id="build metadata is the release"),
        pytest.param("1.0.0+001", None, ("1.0.0+001", None), id="build metadata that is no release stays"),
        pytest.param("1.0.0+2", "", ("1.0.0+2", None), id="explicitly none keeps build metadata"),
        pytest.param("1.0.0+2", "3", ("1.0.0+2", "3"), id="explicit release keeps build metadata"),
    ],
)
def test_version_release_takes_the_release(version: str, release: str | None, expected: tuple[str, str | None]) -> None:
    parsed = VersionRelease.parse(version, release)
    assert (str(parsed.version), str(parsed.release) if parsed.release else None) == expected


@pytest.mark.parametrize(
    ("version", "release", "shown"),
    [
        ("1.0.0", None, "1.0.0"),
        ("1.0.0+2", None, "1.0.0+2"),
        ("1.0.0", "2", "1.0.0+2"),
        ("1.0.0+b", "2", "1.0.0+b release 2"),
    ],
)
def test_version_release_prints_both(version: str, release: str | None, shown: str) -> None:
    assert str(VersionRelease.parse(version, release)) == shown


def test_version_release_refuses_an_unreadable_release() -> None:
    with pytest.raises(ValueError, match=r'^"a_b" is not a release'):
        VersionRelease.parse("1.0.0", "a_b")


def test_version_releases_sort_by_version_then_release() -> None:
    ascending = [("1.0.0-rc.1", "9"), ("1.0.0", None), ("1.0.0", "1"), ("1.0.0", "10"), ("1.0.0", "a"), ("1.0.1", None)]
    parsed = [VersionRelease.parse(*each) for each in ascending]
    assert sorted([*parsed[3:], *parsed[:3]]) == parsed
    assert VersionRelease.parse("1.0.0+001", None) == VersionRelease.parse("1.0.0+002", None)
