from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle.scalars import SCALARS, ConversionError


@pytest.mark.parametrize(
    ("scalar", "given", "written"),
    [
        ("string", "x", "x"),
        ("bool", False, False),
        ("int32", 3.0, 3),
        ("int64", 2**63 - 1, 2**63 - 1),
        ("float64", 2**63 - 1, 9223372036854776000),
        ("float64", 0.5, 0.5),
        ("bytes", "aGk=", "aGk="),
        ("quantity", "1024Mi", "1Gi"),
        ("quantity", 0.25, "250m"),
        ("quantity", 1000, "1k"),
        ("intOrString", "http", "http"),
        ("intOrString", 8443, 8443),
        ("time", "2024-01-02T03:04:05+01:00", "2024-01-02T02:04:05Z"),
        ("json", {"a": None}, {"a": None}),
        ("semverTolerant", "v1.2", "v1.2"),
        ("release", "1", "1"),
    ],
)
def test_scalars_write_what_they_take(scalar: str, given: Any, written: Any) -> None:
    assert SCALARS[scalar].convert(given) == written


@pytest.mark.parametrize(
    ("scalar", "given", "message"),
    [
        ("string", 1, "cannot convert int64 to string"),
        ("string", True, "unrecognized type: string"),
        ("string", 1.5, "unrecognized type: string"),
        ("bool", "true", "unrecognized type: bool"),
        ("int32", "1", "unrecognized type: int32"),
        ("int32", True, "unrecognized type: int32"),
        ("int32", 1.5, "cannot convert float64 to int32"),
        ("int32", 2**31, "cannot convert int64 to int32"),
        ("float64", "1", "unrecognized type: float64"),
        ("bytes", 1, "cannot restore slice from int64"),
        ("bytes", "%", "illegal base64 data"),
        ("quantity", "1mm", "unable to parse quantity's suffix"),
        ("intOrString", True, "json: cannot unmarshal bool into Go value of type int32"),
        ("intOrString", 1.5, "json: cannot unmarshal number 1.5 into Go value of type int32"),
        ("semverTolerant", 1, "json: cannot unmarshal number into Go value of type string"),
        ("semverTolerant", "one", 'Invalid character(s) found in major number "0one"'),
        ("release", "a_b", 'Invalid character(s) found in prerelease "a_b"'),
    ],
)
def test_scalars_refuse_other_kinds(scalar: str, given: Any, message: str) -> None:
    with pytest.raises(ConversionError) as caught:
        SCALARS[scalar].convert(given)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["2024-01-02", "2024-13-02T03:04:05Z", "0001-01-01T00:00:00+14:00"])
def test_time_refuses_what_is_not_an_rfc3339_time(text: str) -> None:
    message = f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": not an RFC 3339 time'
    with pytest.raises(ConversionError) as caught:
        SCALARS["time"].convert(text)
    assert str(caught.value) == message
