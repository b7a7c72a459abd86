"""JSON values as the API machinery holds them: which numbers they become, and what their kinds are called in messages.

Used by the loader and the typed conversion. Rule: bundle-rendering.md 3.2, 4.1.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from olmv1.yaml import dump_json

__all__ = ["compact_json", "escape_html", "exact", "json_kind", "memory_kind", "number"]

_MAX_DEPTH = 150  # real schemas stay below 60; deeper ones would exhaust the stack of the conversion
_INT64 = range(-(2**63), 2**63)
_MAX_WHOLE_FLOAT = 1e21  # from here on the reference writes an exponent
_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def exact(value: Any, depth: int = 0) -> Any:
    """A copy of `value` with the numbers of `number`, its keys as they are.

    Raises: ValueError when it is nested deeper than 150 levels.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if depth > _MAX_DEPTH:
        raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, dict):
        return {key: exact(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [exact(item, depth + 1) for item in value]
    return number(value)


def number(value: float) -> float:
    """`value` as it is written again: 64-bit integers exact, larger ones and floats rounded to the shortest digits.

    `1.0` becomes `1`; `18446744073709551616` becomes `18446744073709552000`.
    Raises: ValueError when it is larger than any float.
    """
    if isinstance(value, int) and value in _INT64:
        return value
    try:
        rounded = float(value)
    except OverflowError:
        raise ValueError("number out of range") from None
    if rounded.is_integer() and abs(rounded) < _MAX_WHOLE_FLOAT:
        return int(Decimal(repr(rounded)))
    return rounded


def json_kind(value: Any) -> str:
    """What the decoder of JSON texts calls the kind of `value`, as in `cannot unmarshal <kind>`."""
    match value:
        case bool():
            return "bool"
        case str():
            return "string"
        case dict():
            return "object"
        case list():
            return "array"
        case None:
            return "null"
        case _:
            return "number"


def memory_kind(value: Any) -> str:
    """What the typed conversion calls the kind of `value`, as in `cannot restore slice from <kind>`."""
    match value:
        case bool():
            return "bool"
        case str():
            return "string"
        case dict():
            return "map"
        case list():
            return "slice"
        case int():
            return "int64"
        case _:
            return "float64"


def compact_json(value: Any, *, sort_keys: bool = True) -> str:
    """`value` as one line of JSON without blanks, with `<`, `>`, `&` and line separators escaped.

    Rule: bundle-rendering.md 5, 10.1.
    """
    return escape_html(dump_json(value, sorted=sort_keys).decode())


def escape_html(text: str) -> str:
    """JSON `text` with the characters that a browser would read escaped; they occur only inside strings."""
    return text.translate(_HTML)
