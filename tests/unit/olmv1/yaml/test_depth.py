from __future__ import annotations

import pytest

from olmv1.yaml.depth import MAX_DEPTH, is_too_deep, may_exhaust_stack


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_is_too_deep_allows_the_limit() -> None:
    assert not is_too_deep(nested(MAX_DEPTH))


def test_is_too_deep_refuses_one_more() -> None:
    assert is_too_deep({"a": nested(MAX_DEPTH)})


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        pytest.param(b"a: 1\n", False, id="small"),
        pytest.param(b"- {a: [1]}\n" * 3000, False, id="many collections side by side"),
        pytest.param(b"[" * 3000, True, id="flow"),
        pytest.param(b"- " * 3000, True, id="block"),
        pytest.param(b" " * 600 + b"a: 1", False, id="one long indent"),
        pytest.param(b"]" + b"[" * 3000, False, id="not YAML"),
    ],
)
def test_may_exhaust_stack_looks_before_the_parser(document: bytes, verdict: bool) -> None:
    assert may_exhaust_stack(document) is verdict
