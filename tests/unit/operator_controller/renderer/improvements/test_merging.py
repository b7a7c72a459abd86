from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.improvements.merging import ContradictionError, merged


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ({"a": 1}, {"a": 1}, {"a": 1}),
        ({"a": {"b": 1}}, {"a": {"c": 2}, "d": []}, {"a": {"b": 1, "c": 2}, "d": []}),
        ({"a": None}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": None}, {"a": 1}),
        ({"rules": [1, 2]}, {"rules": [2, 3]}, {"rules": [1, 2, 3]}),
        ({"status": 1, "apiVersion": "a/v1"}, {"status": 2, "apiVersion": "a/v2"}, {"status": 1, "apiVersion": "a/v1"}),
    ],
)
def test_merged_takes_over_what_only_one_says(first: Any, second: Any, result: Any) -> None:
    assert merged(first, second) == result


@pytest.mark.parametrize(
    ("first", "second", "path"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b"),
        ({"a": [1]}, {"a": [2]}, "a"),
        ({"rules": [1]}, {"rules": 1}, "rules"),
        ({"spec": {"rules": [1]}}, {"spec": {"rules": [2]}}, "spec.rules"),
    ],
)
def test_merged_names_the_first_contradiction(first: Any, second: Any, path: str) -> None:
    with pytest.raises(ContradictionError) as caught:
        merged(first, second)
    assert str(caught.value) == path
