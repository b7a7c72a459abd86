from __future__ import annotations

import math

import pytest

from olmv1.yaml.numbers import float_key, number_of


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1.0, 1),
        (-3.0, -3),
        (1.5, 1.5),
        (12345678901234567890.0, 12345678901234567000),
        (1e20, 10**20),
        (1e21, 1e21),
        (0.0, 0),
    ],
)
def test_number_of_makes_integers_where_nothing_is_lost(value: float, number: float) -> None:
    assert (number_of(value), type(number_of(value))) == (number, type(number))


def test_number_of_keeps_negative_zero() -> None:
    assert math.copysign(1, number_of(-0.0)) == -1


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (1.5, "1.5"),
        (4.19, "4.19"),
        (3.14159265358979, "3.1415927"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e21, "1e+21"),
        (1234567.5, "1.2345675e+06"),
        (1e300, "1e+300"),
    ],
)
def test_float_key_is_the_shortest_that_32_bits_tell_apart(value: float, key: str) -> None:
    assert float_key(value) == key
