from __future__ import annotations

import pytest
import re2

from olmv1.versions import VERSION_LENGTH_LIMIT, VERSION_PATTERN
from tests.truth_table import truth_table

_PATTERN = re2.compile(VERSION_PATTERN)


def is_admitted(text: str) -> bool:
    return _PATTERN.search(text) is not None


@pytest.mark.data
def test_pattern_admits_every_valid_expression_of_the_truth_table() -> None:
    table = truth_table("masterminds")
    valid = [text for text, rows in table.items() if rows[0].result != "invalid" and len(text) <= VERSION_LENGTH_LIMIT]
    assert len(valid) > 250
    assert [text for text in valid if not is_admitted(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        ">=1 || *",
        ">=1, 1.2.*",
        "1.*.*",
        "*.*.*",
        "1.2.3 - 2.0.0",
        "01.2.3",
        "x.1.2",
        " v1.2.3-rc.1+b ",
        "1 - 2!=1.5",
        "=<1",
    ],
)
def test_pattern_admits(text: str) -> None:
    assert is_admitted(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "latest",
        "==1.0",
        ">1.0.0,",
        ",1.0.0",
        "1.2.3.4",
        ">=1.0.0<2.0.0",
        "1.2.3-",
        "1.*]",
        "|",
        "1.0.0 ||",
        ">=1.0.0 - 2.0.0",
        "1.2.3\n;",
        "V1.2.3",
        "&&",
    ],
)
def test_pattern_refuses_junk(text: str) -> None:
    assert not is_admitted(text)
