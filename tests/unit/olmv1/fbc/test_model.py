from __future__ import annotations

import msgspec
import pytest

from olmv1.fbc import Bundle, Property


def a_bundle(*values: str) -> Bundle:
    return Bundle("b", "p", "i", tuple(Property("olm.package", msgspec.Raw(value.encode())) for value in values))


@pytest.mark.parametrize(
    ("value", "version", "release"),
    [
        ('{"packageName":"p","version":"1.0.0"}', "1.0.0", None),
        ('{"version":"1.0.0","release":""}', "1.0.0", ""),
        ('{"version":"1.0.0","release":"2"}', "1.0.0", "2"),
        ('{"Version":"1.0.0","RELEASE":"2"}', "1.0.0", "2"),
        ('{"version":4.20}', "4.20", None),
        ('{"version":null}', None, None),
        ('{"version":true}', None, None),
        ('{"version":{}}', None, None),
        ('"1.0.0"', None, None),
        ("null", None, None),
        ("[" * 5000, None, None),
    ],
)
def test_bundle_reads_version_and_release_as_text(value: str, version: str | None, release: str | None) -> None:
    bundle = a_bundle(value)
    assert (bundle.version_text, bundle.release_text) == (version, release)


def test_bundle_without_the_property_has_no_version() -> None:
    assert Bundle("b", "p").version_text is None


def test_bundle_takes_the_first_of_two_properties() -> None:
    assert a_bundle('{"version":"1.0.0"}', '{"version":"2.0.0"}').version_text == "1.0.0"


def test_bundle_gives_the_values_of_a_type_in_order() -> None:
    bundle = a_bundle("1", "2")
    assert (bundle.property_values("olm.package"), bundle.property_values("other")) == ([b"1", b"2"], [])


def test_bundle_is_equal_and_hashes_by_its_content() -> None:
    assert {a_bundle("1"), a_bundle("1"), a_bundle("2")} == {a_bundle("1"), a_bundle("2")}
