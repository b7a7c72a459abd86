"""Text of a number → the value that is kept: exact integers, and floats where the reference prints them as such.

Used by the YAML scalar table and by the JSON reader, so that both formats agree.
"""

from __future__ import annotations

import math
import struct
from decimal import Decimal

__all__ = ["MAX_DIGITS", "float_key", "number_of"]

MAX_DIGITS = 308
"""Longer integers overflow a 64-bit float, which is where the reference stops taking them for numbers.

It also keeps `int(text)`, which is quadratic, cheap.
"""

# The reference prints floats from here on with an exponent.
_EXPONENT_FROM = 1e21


def number_of(value: float) -> int | float:
    """`value` as an integer when it has no fraction and the reference would print it without an exponent.

    The integer has the digits of the shortest decimal form (`1.2345678901234567e19` is 12345678901234567000). Negative
    zero stays a float: it prints as `-0`.
    """
    if not value.is_integer() or abs(value) >= _EXPONENT_FROM or (value == 0 and math.copysign(1, value) < 0):
        return value
    return int(Decimal(repr(value)))


def float_key(value: float) -> str:
    """A number used as a key, in the shortest form that a 32-bit float keeps apart: `1.5`, `1e+07`.

    Rule: keys pass through the reference's 32-bit formatting; beyond that range the 64-bit digits are used.
    """
    for digits in range(1, 18):
        text = f"{value:.{digits - 1}e}"
        if _same_in_32_bits(float(text), value):
            break
    mantissa, exponent = text.split("e")
    if -4 <= int(exponent) < 6:
        return format(Decimal(text), "f")
    return f"{mantissa}e{int(exponent):+03d}"


def _same_in_32_bits(one: float, other: float) -> bool:
    try:
        return struct.pack("f", one) == struct.pack("f", other)
    except OverflowError:
        return one == other
