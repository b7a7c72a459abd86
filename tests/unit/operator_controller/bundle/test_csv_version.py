from __future__ import annotations

import re

import pytest

from operator_controller.bundle.csv_version import check_release, check_version


@pytest.mark.parametrize(
    "text", ["1.2.3", "v1.2.3", " 1.2 ", "1", "", "01.002.0003", "1.2.3-rc.1+build.5", "1.0.0-0", "1.2.3+001"]
)
def test_check_version_accepts_tolerant_versions(text: str) -> None:
    check_version(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one", 'Invalid character(s) found in major number "0one"'),
        ("1.x.0", 'Invalid character(s) found in minor number "0x"'),
        ("1.0.0.1", 'Invalid character(s) found in patch number "0.1"'),
        ("1.2-rc1", "Short version cannot contain PreRelease/Build meta data"),
        ("1.2.3-a_b", 'Invalid character(s) found in prerelease "a_b"'),
        ("1.2.3-", "Prerelease is empty"),
        ("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.2.3+", "Build meta data is empty"),
        ("1.2.3+a_b", 'Invalid character(s) found in build meta data "a_b"'),
    ],
)
def test_check_version_names_the_wrong_part(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check_version(text)


@pytest.mark.parametrize("text", ["", "1", "rc.2"])
def test_check_release_accepts_identifiers(text: str) -> None:
    check_release(text)


def test_check_release_names_the_wrong_identifier() -> None:
    with pytest.raises(ValueError, match=r'^Invalid character\(s\) found in prerelease "a_b"$'):
        check_release("1.a_b")
