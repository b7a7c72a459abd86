"""The oracle itself: before it judges the resolver, its reading of ranges is held against the truth table."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.oracle import blang, masterminds
from tests.oracle.semver import UnreadableError, semver
from tests.truth_table import truth_table


def _result(language: ModuleType, text: str, version: str) -> str:
    try:
        groups = language.parse(text)
    except UnreadableError:
        return "invalid"
    return str(language.contains(groups, semver(version))).lower()


@pytest.mark.data
@pytest.mark.parametrize("language", [masterminds, blang], ids=["masterminds", "blang"])
def test_oracle_agrees_with_every_row_of_the_truth_table(language: ModuleType) -> None:
    table = truth_table(language.__name__.rpartition(".")[2])
    wrong = [
        (text, row.version, row.result)
        for text, rows in table.items()
        for row in rows
        if _result(language, text, row.version) != row.result
    ]
    assert table
    assert wrong == []
