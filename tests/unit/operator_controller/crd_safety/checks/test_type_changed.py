from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.type_changed import check_type
from operator_controller.crd_safety.findings import Remark, Risk

INT_OR_STRING = {"x-kubernetes-int-or-string": True}
ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


@pytest.mark.parametrize(
    ("old", "new", "text", "risk"),
    [
        pytest.param({"type": "string"}, {"type": "integer"}, '"string" -> "integer"', Risk.BREAKING, id="other"),
        pytest.param({"type": "integer"}, {"type": "number"}, '"integer" -> "number"', Risk.SAFE, id="wider"),
        pytest.param({"type": "number"}, {"type": "integer"}, '"number" -> "integer"', Risk.NEEDS_DATA, id="narrower"),
        pytest.param({"type": "string"}, INT_OR_STRING, '"string" -> ""', Risk.SAFE, id="to int or string"),
        pytest.param(
            {"type": "boolean"}, INT_OR_STRING, '"boolean" -> ""', Risk.NEEDS_DATA, id="bool to int or string"
        ),
        pytest.param({"type": "array"}, ANYTHING, '"array" -> ""', Risk.SAFE, id="to anything"),
        pytest.param(ANYTHING, {"type": "object"}, '"" -> "object"', Risk.NEEDS_DATA, id="anything to a type"),
    ],
)
def test_type_change_is_told_with_its_risk(old: object, new: object, text: str, risk: Risk) -> None:
    assert isinstance(old, dict)
    assert isinstance(new, dict)
    assert list(check_type(Change(old, new))) == [Remark("type", f"type changed : {text}", risk)]


def test_same_type_is_no_finding() -> None:
    assert list(check_type(Change({"type": "string"}, {"type": "string", "maxLength": 3}))) == []
