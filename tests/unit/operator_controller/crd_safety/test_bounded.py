from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety.bounded import TooLargeError, bounded


def test_whole_floats_become_integers() -> None:
    value = {"a": [1.0, 1.5, True, None, "x"], 1: 1e300, "inf": float("inf")}
    found = bounded(value)
    assert found == {"a": [1, 1.5, True, None, "x"], "1": 1e300, "inf": float("inf")}
    assert type(found["a"][0]) is int


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (nested(201), "is nested deeper than 200 levels"),
        ([0] * 500_001, "has more than 500000 values"),
        (10**400, "has a number that no float can hold"),
    ],
    ids=["deep", "large", "number"],
)
def test_what_no_walk_can_afford_is_refused(value: object, message: str) -> None:
    with pytest.raises(TooLargeError) as raised:
        bounded(value)
    assert str(raised.value) == message


def test_what_is_within_the_bounds_is_copied() -> None:
    assert bounded(nested(200)) == nested(200)
