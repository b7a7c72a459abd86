"""A rule of a stranger must not stop, fill or crash the controller."""

from __future__ import annotations

import time
from typing import Any

import pytest

from olmv1.constraints import LIBRARY, OBJECT_LIBRARY, Property, Ruling
from olmv1.rules import IsolatedRules

_BUNDLE = (Property("color", "red"), Property("n", 2**70), Property("x\ud800", {"a": [None, -(2**64)]}))
_EXCESS = "the rule needs more than 1 s or 512 MiB, or broke its evaluation"


@pytest.fixture(scope="module")
def rules() -> IsolatedRules:
    return IsolatedRules(memory_bytes=512 * 2**20, cpu_s=1)


@pytest.mark.parametrize(
    "rule",
    ["properties.exists(p, p.type == 'color' && p.value == 'red')", "properties[0].nope == 1", "1", "(", "x\ud800"],
)
def test_isolated_rules_answer_as_the_library_does(rules: IsolatedRules, rule: str) -> None:
    plain = rule.encode("utf-8", "replace").decode()
    assert rules.decide(rule, [_BUNDLE, ()]) == LIBRARY.decide(plain, [_BUNDLE, ()])


def test_isolated_rules_keep_what_they_decided(rules: IsolatedRules) -> None:
    first = rules.decide("properties.size() == 3", [_BUNDLE])
    assert first == Ruling(holds=(True,), errors=("",))
    assert rules.decide("properties.size() == 3", [_BUNDLE]) is first
    assert rules.decide("properties.size() == 3", [()]).holds == (False,)


def doubling(step: str, levels: int, start: str) -> str:
    return start + f".map(x, {step})" * levels


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(doubling("x+x", 28, "['aaaaaaaaaa']") + ".size() == 1", id="memory"),
        pytest.param(doubling("[x,x]", 28, "[0]") + " == " + doubling("[x,x]", 28, "[0]"), id="time"),
    ],
)
def test_isolated_rules_survive_a_rule_without_end(rules: IsolatedRules, rule: str) -> None:
    start = time.monotonic()
    found = rules.decide(rule, [_BUNDLE, ()])
    assert not any(found.holds)
    assert all(found.errors)
    assert time.monotonic() - start < 10


def test_isolated_rules_survive_properties_without_end(rules: IsolatedRules) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert rules.decide("true", [(Property("x", deep),)]).holds == (True,)


def test_isolated_rules_hold_for_nobody_when_the_child_fails() -> None:
    starved = IsolatedRules(memory_bytes=2**20)
    more_than_that = Property("x", "x" * 2**24)
    found = starved.decide("true", [(more_than_that,), ()])
    text = "the rule needs more than 2 s or 1 MiB, or broke its evaluation"
    assert found == Ruling(holds=(False, False), errors=(text, text))


def test_isolated_rules_do_not_wait_for_ever() -> None:
    assert IsolatedRules(timeout_s=0.001).decide("true", [()]).holds == (False,)


def test_isolated_rules_judge_an_object_as_the_library_does(rules: IsolatedRules) -> None:
    live = {"spec": {"n": 3, "big": 2**70, "odd\ud800": [1.5, None, True]}}
    for rule in ("self.spec.n % 2 == 1", "self.spec.nope == 1", "self.spec.n", "("):
        assert rules.judge(rule, live) == OBJECT_LIBRARY.judge(rule, live)
    assert rules.judge("self.spec.n == 3", live).holds == (True,)


def test_isolated_rules_are_not_shown_an_object_that_is_nested_too_deep(rules: IsolatedRules) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    found = rules.judge("true", {"spec": deep})
    assert found == Ruling(holds=(False,), errors=("the object is nested deeper than 64 levels",))
