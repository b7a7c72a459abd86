from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.pattern import check_pattern
from operator_controller.crd_safety.findings import Remark, Risk


@pytest.mark.parametrize(
    ("old", "new", "text", "risk"),
    [
        ("", "^a", 'added : "" -> "^a"', Risk.NEEDS_DATA),
        ("^a", "", 'removed : "^a" -> ""', Risk.SAFE),
        (r"^\d", '^"', r'changed : "^\\d" -> "^\""', Risk.NEEDS_DATA),
    ],
)
def test_pattern_change_is_told_with_its_risk(old: str, new: str, text: str, risk: Risk) -> None:
    change = Change({"pattern": old}, {"pattern": new})
    assert list(check_pattern(change)) == [Remark("pattern", f"pattern {text}", risk)]


def test_same_pattern_is_no_finding() -> None:
    assert list(check_pattern(Change({"pattern": ""}, {}))) == []
