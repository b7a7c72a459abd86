from __future__ import annotations

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.nullable import check_nullable
from operator_controller.crd_safety.findings import Remark, Risk


def test_null_that_is_allowed_is_safe() -> None:
    found = [Remark("nullable", "nullable added : false -> true", Risk.SAFE)]
    assert list(check_nullable(Change({"nullable": False}, {"nullable": True}))) == found


def test_null_that_is_no_longer_allowed_depends_on_objects() -> None:
    found = [Remark("nullable", "nullable removed : true -> false", Risk.NEEDS_DATA)]
    assert list(check_nullable(Change({"nullable": True}, {}))) == found


def test_same_answer_is_no_finding() -> None:
    assert list(check_nullable(Change({}, {"nullable": False}))) == []
