from __future__ import annotations

import re

import pytest

from olmv1.versions import RangeError, SkipRange, Version
from tests.truth_table import truth_table


def contains(text: str, version: str) -> bool:
    return SkipRange.parse(text).contains(Version.parse(version))


@pytest.mark.data
def test_skip_range_agrees_with_every_row_of_the_truth_table() -> None:
    table = truth_table("blang")
    wrong = []
    for text, rows in table.items():
        for row in rows:
            try:
                found = str(contains(text, row.version)).lower()
            except ValueError:
                found = "invalid"
            if found != row.result:
                wrong.append((text, row.version, row.result))
    assert len(table) > 100
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (">=4.1.0 <4.1.2", ("[4.1.0, 4.1.2)",)),
        ("> 1.0.0 !1.2.1", ("(1.0.0, 1.2.1)", "(1.2.1, ∞)")),
        ("1.0.0 !1.2.1", ("[1.0.0]",)),
        (">=1.14.0 <1.14.21+xe0c9553", ("[1.14.0, 1.14.21)",)),
        (">=1.22.8 < 1.23.0 || >=1.25.0 <1.26.0", ("[1.22.8, 1.23.0)", "[1.25.0, 1.26.0)")),
        ("! 1.2.3", ("[1.2.3]",)),
        (">=1.0.0 * <2.0.0", ("[1.0.0, 2.0.0)",)),
        (">=1.0.0 | <2.0.0", ("[1.0.0, 2.0.0)",)),
        (">=1.0.0 <", ("[1.0.0, ∞)",)),
        ("  >=1.0.0  ", ("[1.0.0, ∞)",)),
        ("1.0.0 - 2.0.0", ()),
        ("1.x.x", ("[1.0.0, 1.1.0)",)),
        ("1.x", ("[1.0.0, 2.0.0)",)),
        ("==1.2.x", ("[1.2.0, 1.3.0)",)),
        (">1.2.x", ("[1.3.0, ∞)",)),
        ("<=1.x", ("[0.0.0-0, 2.0.0)",)),
        ("<1.2.x", ("[0.0.0-0, 1.2.0)",)),
        ("!=1.2.x", ()),
        ("~1.2.x", ("[1.2.0]",)),
        (">=1.2.3-xyz", ("[1.2.3-xyz, ∞)",)),
    ],
)
def test_skip_range_admits(text: str, shown: tuple[str, ...]) -> None:
    assert SkipRange.parse(text).intervals == shown


_EXPECTED = "expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Last element in range is '||'"),
        ("1", "Last element in range is '||'"),
        (">=1.0.0 ||", "Last element in range is '||'"),
        ("|| >=1.0.0", "First element in range is '||'"),
        (">=1.0.0 || || <0.5.0", "Two '||' in a row: nothing stands between them"),
        ("latest", 'Could not get version from string: "latest"'),
        (">=x.x.x", 'Could not get version from string: ">=x.x.x"'),
        ("1.0.0-rx", 'Could not get version from string: "1.0.0-rx"'),
        ("<=1.2.3.x", 'Could not get version from string: "<=1.2.3.x"'),
        ("~1.2.3", 'Could not parse Range "~1.2.3": Could not parse comparator "~" in "~1.2.3"'),
        (
            ">=1.0",
            f'Could not parse Range ">=1.0": Could not parse version "1.0" in ">=1.0": '
            f'"1.0" is not a semantic version: {_EXPECTED}, found the end of the text',
        ),
        (
            ">01.2.x",
            f'Could not parse Range ">01.2.x": Could not parse version "01.2.0" in ">01.2.x": '
            f'"01.2.0" is not a semantic version: {_EXPECTED}, found "1" at character 2',
        ),
    ],
)
def test_skip_range_refuses(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        SkipRange.parse(text)


def test_skip_range_has_no_prerelease_gate() -> None:
    assert contains(">=1.0.0 <2.0.0", "1.5.0-rc.1")
    assert contains(">=1.0.0 <2.0.0", "2.0.0-alpha")
    assert contains("=1.2.3+5", "1.2.3")
    assert not contains(">=1.0.0 <2.0.0", "2.0.0")


def test_skip_range_equals_a_skip_range_of_the_same_text() -> None:
    assert SkipRange.parse("<1.0.0") == SkipRange.parse("<1.0.0")
    assert str(SkipRange.parse("<1.0.0")) == "<1.0.0"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("<v1.4.0", 0),
        (">=1.0.0 <v2.0.0", 8),
        (">=1.15.3 < 1.20.1+", 9),
        ("1.0.0 ||  1.0", 10),
        ("1.0.0 <=1.0.0-xyz", 6),
        ("|| 1.0.0", 0),
        ("1.0.0 ||", 8),
        ("", 0),
        ("1.0.0 || || 2.0.0", 9),
    ],
)
def test_skip_range_says_where_it_cannot_be_read(text: str, position: int) -> None:
    with pytest.raises(RangeError) as raised:
        SkipRange.parse(text)
    assert raised.value.position == position
