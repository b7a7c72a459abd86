from __future__ import annotations

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.bounds import LOWER_BOUNDS, UPPER_BOUNDS, check_bounds
from operator_controller.crd_safety.findings import Remark, Risk


@pytest.mark.parametrize("name", [*LOWER_BOUNDS, *UPPER_BOUNDS])
def test_new_bound_is_told(name: str) -> None:
    text = f"{name} constraint added when there was none previously : 3"
    assert list(check_bounds(Change({}, {name: 3}))) == [Remark(name, text, Risk.NEEDS_DATA)]


@pytest.mark.parametrize("name", LOWER_BOUNDS)
def test_raised_lower_bound_is_told(name: str) -> None:
    found = [Remark(name, f"{name} increased : 0 -> 1.5", Risk.NEEDS_DATA)]
    assert list(check_bounds(Change({name: 0}, {name: 1.5}))) == found
    assert list(check_bounds(Change({name: 1.5}, {name: 0}))) == []


@pytest.mark.parametrize("name", UPPER_BOUNDS)
def test_lowered_upper_bound_is_told(name: str) -> None:
    found = [Remark(name, f"{name} decreased : 9 -> 3", Risk.NEEDS_DATA)]
    assert list(check_bounds(Change({name: 9}, {name: 3}))) == found
    assert list(check_bounds(Change({name: 3}, {name: 9}))) == []


@pytest.mark.parametrize("new", [{}, {"minimum": None}, {"minimum": "3"}, {"minimum": True}])
def test_bound_that_goes_is_no_finding(new: dict[str, object]) -> None:
    assert list(check_bounds(Change({"minimum": 1}, new))) == []
