"""One property of a bundle, decoded."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Property"]


class Property(NamedTuple):
    """One `{type, value}` pair; `value` is decoded JSON. Missing parts are empty text and null."""

    type: str
    value: object
