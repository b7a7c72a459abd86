from __future__ import annotations

import pytest

from operator_controller.crd_safety.wording import as_json, as_number, listed_json


def test_json_is_one_line_with_sorted_keys() -> None:
    assert as_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'


def test_listed_values_stand_between_blanks() -> None:
    assert listed_json(["a", 1, True]) == '["a" 1 true]'


@pytest.mark.parametrize(("value", "text"), [(3, "3"), (-1.5, "-1.5"), (2**53, "9007199254740992")])
def test_numbers_have_the_shortest_digits(value: float, text: str) -> None:
    assert as_number(value) == text
