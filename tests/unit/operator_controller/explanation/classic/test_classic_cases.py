"""What OLM Classic does with the example tables of the specification."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.explanations import a_place, a_request, explained
from tests.packages import a_name

_TABLES = yaml.safe_load((Path(__file__).parents[4] / "cases" / "explanation" / "classic.yaml").read_text())


def _cases() -> list[Any]:
    return [
        pytest.param(table, case, id=f"{table['rule']}: {case['id']}") for table in _TABLES for case in table["cases"]
    ]


@pytest.mark.parametrize(("table", "case"), _cases())
def test_classic_does_what_the_table_says(table: Mapping[str, Any], case: Mapping[str, Any]) -> None:
    place = a_place(table["channels"], default=table.get("default", ""))
    channels = [case["channel"]] if "channel" in case else []
    classic = explained(a_request(case.get("installed"), channels=channels), place).classic
    assert classic is not None
    found = classic.error or ("stays" if classic.move == "stay" else list(classic.hops))
    expected = case["classic"]
    assert found == (expected if isinstance(expected, str) else list(map(a_name, expected)))
