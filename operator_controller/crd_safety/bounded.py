"""Copies of JSON from outside that every walk below can afford.

Called before a schema or a custom resource is looked at: hostile ones are deep or large.
"""

from __future__ import annotations

from typing import Any

__all__ = ["TooLargeError", "bounded"]

_MAX_DEPTH = 200
"""JSON levels; real schemas stay below 60."""
_MAX_VALUES = 500_000
"""Values in one document; the API server refuses larger ones."""
_MAX_EXACT = 2.0**53
_MAX_WHOLE = 2**63


class TooLargeError(ValueError):
    """A document is deeper or larger than any honest one; `str(error)` says how."""


def bounded(value: object) -> Any:
    """A copy with text keys, whose whole floats are integers (`1.0` is an integer to the API server as well).

    Raises: TooLargeError.
    """
    return _Copier().copy(value, 0)


class _Copier:
    def __init__(self) -> None:
        self._left = _MAX_VALUES

    def copy(self, value: object, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TooLargeError(f"has more than {_MAX_VALUES} values")
        if depth > _MAX_DEPTH:
            raise TooLargeError(f"is nested deeper than {_MAX_DEPTH} levels")
        if isinstance(value, dict):
            return {str(key): self.copy(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.copy(item, depth + 1) for item in value]
        return _number(value) if type(value) in (int, float) else value


def _number(value: Any) -> float:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _MAX_EXACT else value
    try:
        return value if abs(value) < _MAX_WHOLE else float(value)
    except OverflowError:
        raise TooLargeError("has a number that no float can hold") from None
