from __future__ import annotations

import pytest

from olmv1.fbc.validation.texts import base64_fault, decoded, image_fault, is_subdomain, release_fault, version_fault

SHA = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("1.2.3", None),
        ("1.2.3-rc.1+b.2", None),
        ("", "Version string empty"),
        ("1", "No Major.Minor.Patch elements found"),
        ("v1.0.0", 'Invalid character(s) found in major number "v1"'),
        ("1.x.0", 'Invalid character(s) found in minor number "x"'),
        ("1.0.0.0", 'Invalid character(s) found in patch number "0.0"'),
        ("01.0.0", 'Major number must not contain leading zeroes "01"'),
        ("1.0.00", 'Patch number must not contain leading zeroes "00"'),
        ("1.0.0-", "Prerelease is empty"),
        ("1.0.0-a_b", 'Invalid character(s) found in prerelease "a_b"'),
        ("1.0.0-01", 'Numeric PreRelease version must not contain leading zeroes "01"'),
        ("1.0.0+", "Build meta data is empty"),
        ("1.0.0+a_b", 'Invalid character(s) found in build meta data "a_b"'),
        (f"{2**64}.0.0", "a number is above 18446744073709551615"),
    ],
)
def test_version_fault_says_what_is_wrong(text: str, fault: str | None) -> None:
    assert version_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("2", None),
        ("el9.1", None),
        ("1..2", "segment 1: Prerelease is empty"),
        ("a.b c", 'segment 1: Invalid character(s) found in prerelease "b c"'),
        ("a" * 21, "exceeds maximum length of 20 characters"),
    ],
)
def test_release_fault_names_the_segment(text: str, fault: str | None) -> None:
    assert release_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("foo", None),
        ("Foo/bar", None),  # a registry called Foo
        ("registry.example:5000/a/b-c__d.e:v1.0_x", None),
        (f"registry.example/a:v1@sha256:{SHA}", None),
        ("[::1]:5000/a", None),
        ("", "invalid reference format"),
        ("a b", "invalid reference format"),
        ("a" * 2000, "invalid reference format"),
        ("registry.example/Foo:v1", "repository name must be lowercase"),
        (f"a/{'b' * 254}", "repository name must not be more than 255 characters"),
        (f"a@md5:{SHA}", "unsupported digest algorithm"),
        (f"a@sha256:{SHA[:40]}", "invalid checksum digest length"),
        (f"a@sha256:{SHA.upper()}", "invalid checksum digest format"),
    ],
)
def test_image_fault_says_what_is_wrong(text: str, fault: str | None) -> None:
    assert image_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "byte"), [("!!!", 0), ("aGVs\nbG8*", 8), ("aGVsbG8", 7), ("a=b=", 1), ("aGVsbG8=x", 7)]
)
def test_base64_fault_names_the_first_bad_byte(text: str, byte: int) -> None:
    assert decoded(text) is None
    assert base64_fault(text) == f"illegal base64 data at input byte {byte}"


def test_base64_may_be_broken_into_lines() -> None:
    assert decoded("aGVs\r\nbG8=\n") == b"hello"


@pytest.mark.parametrize(("name", "is_one"), [("a.b-c.d1", True), ("A", False), ("-a", False), ("a" * 254, False)])
def test_subdomain_is_recognised(name: str, is_one: bool) -> None:
    assert is_subdomain(name) is is_one
