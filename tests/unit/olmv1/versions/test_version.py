from __future__ import annotations

import re

import pytest

from olmv1.versions import Version

_ASCENDING = (
    *("1.0.0-0", "1.0.0-9", "1.0.0-10", "1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.2", "1.0.0-alpha.10"),
    *("1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0"),
)
_EXPECTED = "expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]"


def test_version_gives_its_parts() -> None:
    version = Version.parse("1.20.3-rc.1+5.x")
    assert (version.major, version.minor, version.patch) == (1, 20, 3)
    assert (version.prerelease, version.build, str(version)) == ("rc.1", "5.x", "1.20.3-rc.1+5.x")


def test_versions_sort_by_precedence() -> None:
    assert sorted(map(Version.parse, reversed(_ASCENDING))) == [Version.parse(text) for text in _ASCENDING]
    assert [str(version) for version in sorted(map(Version.parse, reversed(_ASCENDING)))] == list(_ASCENDING)


def test_version_ignores_build_metadata_in_comparison() -> None:
    one, two = Version.parse("1.0.0+1"), Version.parse("1.0.0+2")
    assert one == two
    assert hash(one) == hash(two)
    assert not one < two


def test_without_build_drops_build_metadata_only() -> None:
    version = Version.parse("1.0.0-rc.1+5").without_build()
    assert (str(version), version.build, version.prerelease) == ("1.0.0-rc.1", "", "rc.1")


@pytest.mark.parametrize(("text", "expected"), [("1.0.0", False), ("1.0.0+rc", False), ("1.0.0-0", True)])
def test_is_prerelease_asks_for_a_prerelease_part(text: str, expected: bool) -> None:
    assert Version.parse(text).is_prerelease is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "the end of the text"),
        ("1", "the end of the text"),
        ("1.0", "the end of the text"),
        ("v1.0.0", '"v" at character 1'),
        ("01.0.0", '"1" at character 2'),
        ("1.0.0-01", '"1" at character 8'),
        ("1.0.0-", "the end of the text"),
        ("1.0.0+", "the end of the text"),
        ("1.0.0-a..b", '"." at character 9'),
        ("1.0.0+a_b", '"_" at character 8'),
        (" 1.0.0", '" " at character 1'),
        ("1.0.0.0", '"." at character 6'),
    ],
)
def test_parse_refuses_what_is_no_semantic_version(text: str, found: str) -> None:
    message = f'"{text}" is not a semantic version: {_EXPECTED}, found {found}'
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Version.parse(text)


@pytest.mark.parametrize(
    ("text", "shown", "found"),
    [
        ("1.2.3\n", r'"1.2.3\n"', r'"\n" at character 6'),
        ("\uff11.0.0", '"\uff11.0.0"', '"\uff11" at character 1'),
        ("1.0.0-é", '"1.0.0-é"', '"é" at character 7'),
    ],
)
def test_parse_refuses_what_the_library_lets_through(text: str, shown: str, found: str) -> None:
    with pytest.raises(ValueError, match="is not a semantic version") as raised:
        Version.parse(text)
    assert str(raised.value) == f"{shown} is not a semantic version: {_EXPECTED}, found {found}"


@pytest.mark.parametrize("form", ["{}.0.0", "0.{}.0", "0.0.{}", "0.0.0-{}", "0.0.0-a.{}"])
def test_parse_bounds_numbers_to_64_bits(form: str) -> None:
    assert str(Version.parse(form.format(2**64 - 1))) == form.format(2**64 - 1)
    with pytest.raises(ValueError, match=r"a number is above 18446744073709551615$"):
        Version.parse(form.format(2**64))


@pytest.mark.parametrize("form", ["{}.0.0", "0.0.0-{}"])
def test_parse_refuses_numbers_that_python_does_not_read(form: str) -> None:
    with pytest.raises(ValueError, match="is not a semantic version: a number is above 18446744073709551615$"):
        Version.parse(form.format("9" * 5000))
