from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from olmv1.constraints import LIBRARY, Property, Ruling
from olmv1.constraints import rules as module
from olmv1.constraints.rules import MISSING_LIBRARY

_ETCD = (
    Property("certified", True),
    Property("olm.package", {"packageName": "etcd", "version": "1.2.0"}),
    Property("olm.maxOpenShiftVersion", "4.17"),
    Property("num", 1),
    Property("nul", None),
    Property("lst", ["a", "b"]),
)
# Rule: dependencies.md 4, "Verified results".
_TRUE = [
    'properties.exists(p, p.type == "certified")',
    "properties.exists(p, p.type == 'olm.package' && p.value.packageName == 'etcd' && "
    "(semver_compare(p.value.version, '1.0.0') >= 0))",
    "properties.exists(p, p.type == 'olm.maxOpenShiftVersion' && (semver_compare(p.value, '4.18') < 0))",
    "semver_compare('v1.2','1.2.0') == 0",
    "semver_compare('1','1.0.0') == 0",
    "semver_compare('01.002.0','1.2.0') == 0",
    "semver_compare(' 1.2.0 ','1.2.0') == 0",
    "semver_compare(1.5,'1.5.0') == 0",
    "semver_compare(1,'1.0.0') == 0",
    "semver_compare('1.2.0+a','1.2.0+b') == 0",
    "semver_compare('1.2.0-rc.1','1.2.0') < 0",
    "properties.exists(p, p.type=='num' && p.value == 1)",
    "properties.exists(p, p.value > 0.5)",
    "properties.exists(p, p.type=='nul' && p.value == null)",
    "properties.exists(p, p.type=='lst' && 'a' in p.value)",
    "properties.exists_one(p, p.type=='certified')",
    "properties.filter(p, p.type=='certified').size() == 1",
    "properties.map(p, p.type)[0] == 'certified'",
    "properties.all(p, has(p.value))",
    "properties[0].value == true",
    "properties.exists(p, p.type=='certified' || p.nope == 1)",
]
_FALSE = {
    'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")': "",
    "semver_compare('1.2-rc','1.2.0') == 0": "unable to parse '1.2-rc' to semver format",
    "semver_compare('abc','1.0.0') == 0": "unable to parse 'abc' to semver format",
    "semver_compare(true,'1.0.0') == 0": "unable to parse 'true' to semver format",
    "properties.exists(p, p.nope == 1)": "no such key: nope",
}
_NOT_BOOL = "cel expressions must have type Bool"
_INVALID = {
    "1": _NOT_BOOL,
    "properties": _NOT_BOOL,
    "properties[0].value": _NOT_BOOL,
    "cluster.version == '1'": 'rules see "properties" only, there is no "cluster": to require a version of Kubernetes, '
    "use the property olm.kubeversion",
    "doesnt_exist(1)": "ERROR: <input>:1:13: undeclared reference to 'doesnt_exist' (in container '')",
    '"a" + 1 == "a1"': "ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'",
}


@pytest.mark.parametrize("rule", _TRUE)
def test_rule_holds(rule: str) -> None:
    assert LIBRARY.decide(rule, [_ETCD]) == Ruling(holds=(True,), errors=("",))


@pytest.mark.parametrize(("rule", "error"), _FALSE.items())
def test_rule_does_not_hold(rule: str, error: str) -> None:
    assert LIBRARY.decide(rule, [_ETCD]) == Ruling(holds=(False,), errors=(error,))


@pytest.mark.parametrize(("rule", "error"), _INVALID.items())
def test_rule_is_invalid(rule: str, error: str) -> None:
    assert LIBRARY.decide(rule, [_ETCD]) == Ruling(invalid=error)


@pytest.mark.parametrize("rule", ["", "(", "properties.exists(p, p.type == 'a'"])
def test_rule_is_invalid_when_it_does_not_parse(rule: str) -> None:
    assert "Syntax error" in LIBRARY.decide(rule, []).invalid


def test_rule_looks_at_each_bundle_by_itself() -> None:
    found = LIBRARY.decide("properties.exists(p, p.type == 'x')", [(), (Property("x", 1),), _ETCD])
    assert found.holds == (False, True, False)


def test_rule_over_properties_of_any_kind() -> None:
    """Two packages that say something of their own: one has a colour, one a shape."""
    red_circle = (Property("color", "red"), Property("shape", {"name": "circle", "sides": 0}))
    blue_square = (Property("color", "blue"), Property("shape", {"name": "square", "sides": 4}))
    rule = (
        "properties.exists(p, p.type == 'color' && p.value in ['red', 'blue']) && "
        "properties.exists(p, p.type == 'shape' && p.value.sides > 3)"
    )
    assert LIBRARY.decide(rule, [red_circle, blue_square]).holds == (False, True)


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ("[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, "
         "[1,2,3,4,5,6,7,8,9,10].all(d, true))))", "Iteration budget exceeded"),
        ("'a'.matches('[')", "invalid regular expression: missing ]: ["),
    ],
)  # fmt: skip
def test_rule_ends_at_the_limits_of_the_library(rule: str, error: str) -> None:
    assert LIBRARY.decide(rule, [_ETCD]) == Ruling(holds=(False,), errors=(error,))


def test_rule_has_at_most_16384_characters() -> None:
    found = LIBRARY.decide("true" + " " * 16_381, [])
    assert found == Ruling(invalid="a rule has at most 16384 characters, this one has 16385")


@pytest.mark.parametrize("value", [2**70, -(2**2000), "\ud800", float("nan"), {"a": {"b": [None]}}, ("a",)])
def test_rule_takes_values_of_every_kind(value: Any) -> None:
    found = LIBRARY.decide("properties.exists(p, p.type == 'x' || p.value == 'x')", [(Property("x", value),)])
    assert found == Ruling(holds=(True,), errors=("",))


def test_rule_does_not_see_values_that_are_nested_absurdly_deep() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert LIBRARY.decide("properties.size() == 1", [(Property("x", deep), Property("y", 1))]).holds == (True,)


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "cel_expr_python", None)
    monkeypatch.setitem(sys.modules, "cel_expr_python.cel", None)
    module._environment.cache_clear()
    yield
    module._environment.cache_clear()


@pytest.mark.usefixtures("no_library")
def test_rule_cannot_be_evaluated_without_the_library() -> None:
    assert LIBRARY.decide("true", [()]) == Ruling(unavailable=MISSING_LIBRARY)
    assert MISSING_LIBRARY.endswith('install it with pip install "olmv1[constraints]"')


def test_error_that_holds_a_value_of_the_rule_is_cut() -> None:
    (error,) = LIBRARY.decide("{'a': true}[properties[0].value]", [(Property("x", "y" * 60_000),)]).errors
    assert error == f"no such key: {'y' * 986}…"
