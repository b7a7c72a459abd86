from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.default import check_default
from operator_controller.crd_safety.findings import Remark, Risk


@pytest.mark.parametrize(
    ("old", "new", "text", "risk"),
    [
        (None, "red", r'added when there was none previously : "\"red\""', Risk.NEEDS_DATA),
        (3, None, 'value removed : "3"', Risk.BREAKING),
        ({"b": 1, "a": [2]}, {"b": 1}, r'value changed : "{\"a\":[2],\"b\":1}" -> "{\"b\":1}"', Risk.BREAKING),
    ],
)
def test_default_change_is_told_with_its_risk(old: object, new: object, text: str, risk: Risk) -> None:
    change = Change({"default": old}, {"default": new})
    assert list(check_default(change)) == [Remark("default", f"default {text}", risk)]


def test_default_written_otherwise_is_no_finding() -> None:
    change = Change({"default": {"a": 1, "b": 2}}, {"default": {"b": 2, "a": 1}})
    assert list(check_default(change)) == []
