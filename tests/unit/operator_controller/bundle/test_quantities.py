from __future__ import annotations

import re

import pytest

from operator_controller.bundle.quantities import canonical_quantity

_FORMAT_ERROR = r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("0.1", "100m"),
        ("0.5", "500m"),
        ("1.5", "1500m"),
        ("1024", "1024"),
        ("0.0001", "100u"),
        ("1e3", "1e3"),
        ("1000m", "1"),
        ("2000m", "2"),
        ("1000", "1k"),
        ("1000k", "1M"),
        ("1.1G", "1100M"),
        ("500000u", "500m"),
        ("1.5Gi", "1536Mi"),
        ("0.5Gi", "512Mi"),
        ("0.1Gi", "107374182400m"),
        ("1024Mi", "1Gi"),
        ("1000Ki", "1000Ki"),
        ("0.25Ki", "256"),
    ],
)
def test_canonical_quantity_writes_the_table_of_the_specification(given: str, written: str) -> None:
    assert canonical_quantity(given) == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param(" 100m ", "100m", id="blanks around"),
        pytest.param("+1", "+1", id="sign kept"),
        pytest.param("-0", "0", id="negative zero"),
        pytest.param("0m", "0", id="zero with decimal suffix"),
        pytest.param("0Mi", "0", id="zero with binary suffix"),
        pytest.param("123Mi", "123Mi", id="binary not divisible by 8"),
        pytest.param("1.0", "1", id="zero decimals"),
        pytest.param("1.500", "1.500", id="decimals in threes"),
        pytest.param("001", "001", id="leading zeros of the integer part do not count"),
        pytest.param(".5", "500m", id="no integer part"),
        pytest.param("5.", "5.", id="no decimals after the point"),
        pytest.param("1e4", "10e3", id="exponent not divisible by three"),
        pytest.param("10e-1", "1", id="exponent that cancels out"),
        pytest.param("1E", "1E", id="exa, not an exponent"),
        pytest.param("1E4", "10e3", id="capital exponent"),
        pytest.param("1e19", "10e18", id="exponent beyond the suffixes"),
        pytest.param("0.0000000001", "1n", id="below a nano, away from zero"),
        pytest.param("-0.0000000015", "-2n", id="negative, away from zero"),
        pytest.param("0.00000000100", "1n", id="nothing lost below a nano"),
        pytest.param("10000E", "10e21", id="larger than every suffix"),
        pytest.param("16Ei", "9223372036854775807", id="binary capped at 63 bits"),
        pytest.param("-1024Ki", "-1Mi", id="negative binary"),
        pytest.param("1024Ei", "9223372036854775807", id="far above the cap"),
    ],
)
def test_canonical_quantity_writes_edge_cases(given: str, written: str) -> None:
    assert canonical_quantity(given) == written


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param("lots", _FORMAT_ERROR, id="text"),
        pytest.param("", _FORMAT_ERROR, id="empty"),
        pytest.param("Mi", _FORMAT_ERROR, id="suffix alone"),
        pytest.param("1" * 1001, _FORMAT_ERROR, id="endless"),
        pytest.param("1mm", "unable to parse quantity's suffix", id="double suffix"),
        pytest.param("0mm", "unable to parse quantity's suffix", id="double suffix of zero"),
        pytest.param("1e", "unable to parse quantity's suffix", id="exponent without number"),
        pytest.param("1e" + "9" * 19, "unable to parse quantity's suffix", id="endless exponent"),
    ],
)
def test_canonical_quantity_refuses_what_is_not_a_quantity(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        canonical_quantity(given)
