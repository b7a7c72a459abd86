from __future__ import annotations

import pytest

from olmv1.versions import Range, RangeError, Version
from tests.truth_table import truth_table


def contains(text: str, version: str) -> bool:
    return Range.parse(text).contains(Version.parse(version))


@pytest.mark.data
def test_range_agrees_with_every_row_of_the_truth_table() -> None:
    table = truth_table("masterminds")
    wrong = []
    for text, rows in table.items():
        for row in rows:
            try:
                found = str(contains(text, row.version)).lower()
            except RangeError:
                found = "invalid"
            if found != row.result:
                wrong.append((text, row.version, row.result))
    assert len(table) > 300
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=1.0.0", "1.2.3", "1.5.0-rc.1"),
        (">=1.0.0-0 <2.0.0", "2.0.0-alpha", "2.0.0"),
        (">=1.0.0-0 <2.0.0-0", "1.5.0-rc.1", "2.0.0-alpha"),
        (">=1.0.0 <2.0.0-0", "1.2.3-beta", "1.0.0-rc.1"),
        ("1.2.x-0", "1.2.3-beta", "1.3.0-alpha"),
        ("<=1.x-0", "1.9.9-rc", "2.0.0-alpha"),
        (">=3.0.0 || >=1.0.0-0 <2.0.0", "1.2.3-beta", "3.0.1-rc.1"),
        ("!=1.2.x, >=1.0.0-0", "1.2.4-rc", "1.2.4"),
        ("!=1.2.x-rc", "1.2.4", "1.2.4-rc"),
        ("!=1.2.x-rc", "1.2.4-rd", "1.2.0-rc"),
        ("!=1.2.x-rc", "1.3.0-rc", "1.2.1-rc"),
        ("1.0.0 - 2.0.0 !=1.5.0", "2.0.0", "1.5.0"),
        ("\t>=1.0.0\n,\r<2.0.0\f", "1.0.0", "2.0.0"),
    ],
)
def test_range_contains(text: str, inside: str, outside: str) -> None:
    assert contains(text, inside)
    assert not contains(text, outside)


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("foobar", 'improper constraint: "foobar"', 0),
        ("", 'improper constraint: ""', 0),
        ("  ", 'improper constraint: "  "', 2),
        (">=1.0.0 ||", 'improper constraint: ""', 10),
        (">=1.0.0 || || <0.5.0", 'improper constraint: " "', 11),
        (">=1.0.0<2.0.0", 'improper constraint: ">=1.0.0<2.0.0"', 7),
        ("1.2.3 || >=1.0.0,,<2.0.0", 'improper constraint: " >=1.0.0,,<2.0.0"', 17),
        (">=1.0.0,", 'improper constraint: ">=1.0.0,"', 8),
        (">=1.0.0 - 2.0.0", 'improper constraint: ">=>= 1.0.0, <= 2.0.0 "', None),
        ('"1.0.0"', r'improper constraint: "\"1.0.0\""', 0),
        ("1.0.0 || 12x", "constraint parser error", 9),
        ("1 - 2x", "constraint parser error", None),
        ("1.2.3-01", "constraint parser error", 0),
        ("99999999999999999999.0.0", "constraint parser error", 0),
        ("1.0.0" + " " * 508, "constraint string is too long (max 512 bytes)", None),
        ("1" + "||1" * 32, "too many constraint groups (max 32)", None),
    ],
)
def test_range_refuses(text: str, message: str, position: int | None) -> None:
    with pytest.raises(RangeError) as raised:
        Range.parse(text)
    assert str(raised.value) == message
    assert raised.value.position == position


def test_range_takes_32_groups_and_512_bytes() -> None:
    assert contains("1" + "||1" * 31, "1.2.3")
    assert contains("1.0.0" + " " * 507, "1.0.0")
    with pytest.raises(RangeError, match="too long"):
        Range.parse("é" * 257)


@pytest.mark.parametrize(
    ("version", "expected"), [("1.5.0-rc.1", True), ("1.5.0", False), ("0.9.0-rc.1", False), ("2.1.0-rc.1", False)]
)
def test_hides_tells_what_only_the_gate_refuses(version: str, expected: bool) -> None:
    assert Range.parse(">=1.0.0 <2.0.0 || >=2.0.0-0").hides(Version.parse(version)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.0.0+2", "2"),
        ("= v1.0.0-rc.1+a.b", "a.b"),
        ("1.0.0", None),
        (">=1.0.0+2", None),
        ("1.0+2", None),
        ("1.0.0+2 || 2.0.0", None),
    ],
)
def test_pinned_build_belongs_to_a_single_full_version(text: str, expected: str | None) -> None:
    assert Range.parse(text).pinned_build == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (">=1.11, <1.13", ("[1.11.0, 1.13.0)",)),
        ("^0 || ^3", ("[0.0.0, 1.0.0)", "[3.0.0, 4.0.0)")),
        ("^3 || ^3.0", ("[3.0.0, 4.0.0)",)),
        ("!=1.2.x", ("[0.0.0, 1.2.0)", "[1.3.0, ∞)")),
        (">=1.0.0-0 <2.0.0", ("[1.0.0-0, 2.0.0)",)),
        ("!=1.2.x-rc ", ("!=1.2.x-rc",)),
        (" !=1.2.x >=1-0", ("!=1.2.x >=1-0",)),
        ("<1.0.0 >=2.0.0", ()),
    ],
)
def test_intervals_show_the_range(text: str, shown: tuple[str, ...]) -> None:
    assert Range.parse(text).intervals == shown


def test_range_equals_a_range_of_the_same_text() -> None:
    assert Range.parse(">=1") == Range.parse(">=1")
    assert str(Range.parse(">=1")) == ">=1"
