from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.enum import check_enum
from operator_controller.crd_safety.findings import Remark, Risk


@pytest.mark.parametrize(
    ("old", "new", "text", "risk"),
    [
        ([], ["b", "a"], 'enum constraint added when there was none previously : ["a" "b"]', Risk.NEEDS_DATA),
        (["a", "c"], ["a", "b"], 'allowed enum values removed : ["c"]', Risk.NEEDS_DATA),
        ([2, 1], [], "allowed enum values removed : [1 2]", Risk.SAFE),
    ],
)
def test_enum_change_is_told_with_its_risk(old: list[object], new: list[object], text: str, risk: Risk) -> None:
    assert list(check_enum(Change({"enum": old}, {"enum": new}))) == [Remark("enum", text, risk)]


def test_more_values_are_no_finding() -> None:
    assert list(check_enum(Change({"enum": ["a"]}, {"enum": ["b", "a"]}))) == []
