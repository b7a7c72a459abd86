from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.required import check_required
from operator_controller.crd_safety.findings import Remark, Risk

DEFAULTED = {"properties": {"a": {"default": 1}, "b": {"default": ""}}}


def test_new_required_fields_are_listed_in_order() -> None:
    change = Change({"required": ["c"]}, {"required": ["b", "c", "a"]})
    assert list(check_required(change)) == [Remark("required", "new required fields: [a b]", Risk.NEEDS_DATA)]


def test_new_required_fields_are_safe_when_all_have_a_default() -> None:
    change = Change({}, {"required": ["b", "a"], **DEFAULTED})
    assert list(check_required(change)) == [Remark("required", "new required fields: [a b]", Risk.SAFE)]


@pytest.mark.parametrize("new", [{}, {"required": []}, {"required": ["a"]}, {"required": "a"}])
def test_fewer_required_fields_are_no_finding(new: dict[str, object]) -> None:
    assert list(check_required(Change({"required": ["a"]}, new))) == []
