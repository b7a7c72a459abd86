from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.one_of import check_one_of
from operator_controller.crd_safety.findings import Remark, Risk

A = {"required": ["a"]}
B = {"required": ["b"]}
A_TEXT, B_TEXT = '{"required":["a"]}', '{"required":["b"]}'


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param(
            [], [B, A], [(f"oneOf constraint added when there was none previously: [{A_TEXT} {B_TEXT}]", "needs data")],
            id="first",
        ),
        pytest.param([A, B], [A], [(f"allowed oneOf schemas removed: [{B_TEXT}]", "needs data")], id="removed"),
        pytest.param([A, B], [], [(f"allowed oneOf schemas removed: [{A_TEXT} {B_TEXT}]", "safe")], id="dropped"),
        pytest.param([A], [B, A], [(f"allowed oneOf schemas added: [{B_TEXT}]", "needs data")], id="added"),
        pytest.param(
            [A], [B],
            [
                (f"allowed oneOf schemas removed: [{A_TEXT}]", "needs data"),
                (f"allowed oneOf schemas added: [{B_TEXT}]", "needs data"),
            ],
            id="both",
        ),
    ],
)  # fmt: skip
def test_alternatives_are_compared(old: list[Any], new: list[Any], found: list[tuple[str, str]]) -> None:
    remarks = [Remark("oneOf", text, Risk(risk)) for text, risk in found]
    assert list(check_one_of(Change({"oneOf": old}, {"oneOf": new}))) == remarks


def test_what_explains_an_alternative_is_ignored() -> None:
    field = {"type": "string", "description": "x", "example": "y"}
    described = {**A, "title": "t", "properties": {"title": field}}
    plain = {**A, "properties": {"title": {"type": "string"}}}
    assert list(check_one_of(Change({"oneOf": [described]}, {"oneOf": [plain]}))) == []


def test_field_called_title_is_not_ignored() -> None:
    change = Change({"oneOf": [{"properties": {"title": {}}}]}, {"oneOf": [{"properties": {}}]})
    assert len(list(check_one_of(change))) == 2
