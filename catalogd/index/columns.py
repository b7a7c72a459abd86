"""The index as a table: one row per line of the catalog. This is what is stored; lookups are made from it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

__all__ = ["Columns", "no_numbers"]


def no_numbers() -> array[int]:
    """An empty column."""
    return array("Q")


@dataclass(frozen=True, slots=True)
class Columns:
    """Row n describes line n: its length in bytes (newline included) and the numbers of its three texts in `texts`."""

    texts: tuple[str, ...]
    lengths: array[int]
    schemas: array[int]
    packages: array[int]
    names: array[int]
