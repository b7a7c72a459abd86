"""Value → JSON text, byte for byte as the reference writes it: sorted keys, no blanks, its forms of numbers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import orjson
import re2

from olmv1.yaml.depth import TOO_DEEP, is_too_deep
from olmv1.yaml.errors import YamlError
from olmv1.yaml.numbers import number_of

__all__ = ["dump_json"]


def dump_json(value: object, *, sorted: bool = True) -> bytes:  # noqa: A002 - reads best at the call
    """One line of compact JSON without a newline at its end; keys sorted by their bytes unless asked otherwise.

    Integers keep all digits; floats are written as the reference writes them (`1`, `0.000001`, `1e+21`); `<`, `>` and
    `&` stay, U+2028 and U+2029 are escaped.
    Raises: YamlError when lists and mappings nest deeper than `MAX_DEPTH`; TypeError for what is not a value of JSON.
    """
    option = orjson.OPT_SORT_KEYS if sorted else 0
    try:
        text = orjson.dumps(value, option=option)
    except orjson.JSONEncodeError:
        text = _slowly(value, option)
    else:
        if _OTHER_FLOATS.search(text):
            text = _slowly(value, option)
    return text.replace(b"\xe2\x80\xa8", rb"\u2028").replace(b"\xe2\x80\xa9", rb"\u2029")


# Floats that orjson spells differently: 1.0 (1), -0.0 (-0), 1e-6 (0.000001), 1e+16 to 1e+20 (all digits).
_OTHER_FLOATS = re2.compile(
    rb"(?:^|[:\[,])-?(?:[0-9]+\.0|[0-9](?:\.[0-9]+)?e(?:-6|\+1[6-9]|\+20))(?:[,\]}]|$)",
)


def _slowly(value: object, option: int) -> bytes:
    """As orjson writes it, with the numbers that it cannot write, or writes otherwise, put in as text."""
    if is_too_deep(value):
        raise YamlError(TOO_DEEP)
    return orjson.dumps(_with_numbers(value), option=option)


def _with_numbers(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _with_numbers(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_numbers(member) for member in value]
    if isinstance(value, float):
        return orjson.Fragment(_float(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return orjson.Fragment(str(value).encode())
    return value


def _float(value: float) -> bytes:
    number = number_of(value)
    if isinstance(number, int):
        return str(number).encode()
    if value == 0:
        return b"-0"
    if 1e-6 <= abs(value) < 1e-5:
        return format(Decimal(repr(value)), "f").encode()
    return orjson.dumps(value)
