from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle.lost_fields import lost_fields_warning

_JSON = {"free": {"form": 1}}


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        pytest.param({"a": 1, "b": [{"c": 2}]}, {"a": 1, "b": [{"c": 2}]}, None, id="nothing"),
        pytest.param({"a": None, "b": "", "c": {"d": {}}, "e": 0}, {}, None, id="empty values"),
        pytest.param({"a": 1, "b": [{}, {"c": 2}]}, {"b": [{}, {}]}, "a, b[1].c", id="fields"),
        pytest.param({"a": "1024Mi"}, {"a": "1Gi", "always": {}}, None, id="respelled and added"),
        pytest.param({"a": _JSON}, {"a": _JSON}, None, id="free JSON"),
        pytest.param({"a": {"b": {"c": 1}}}, {}, "a", id="a whole part"),
    ],
)
def test_lost_fields_warning_names_what_the_conversion_dropped(before: Any, after: Any, lost: str | None) -> None:
    expected = f"f: unknown fields were dropped: {lost}" if lost else None
    assert lost_fields_warning("f", before, after) == expected


def test_lost_fields_warning_names_ten_and_counts_the_rest() -> None:
    names = ", ".join(f"k{index}" for index in range(10))
    given = {f"k{index}": 1 for index in range(12)}
    assert lost_fields_warning("f", given, {}) == f"f: unknown fields were dropped: {names} and 2 more"
