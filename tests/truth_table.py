"""The truth table of both range languages (`version-ranges.tsv` of the test data)."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from tests.data import data_dir


class Row(NamedTuple):
    version: str
    result: str


def truth_table(kind: str) -> dict[str, list[Row]]:
    """Range → rows, of kind `masterminds` or `blang`; blanks at the ends of a range belong to it."""
    table: dict[str, list[Row]] = defaultdict(list)
    text = data_dir("version-ranges.tsv").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if line.startswith(f"{kind}\t"):
            _, range_text, version, result = line.split("\t")
            table[range_text].append(Row(version, result))
    return table
