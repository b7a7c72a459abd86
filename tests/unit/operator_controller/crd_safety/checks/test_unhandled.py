from __future__ import annotations

from typing import Any

import pytest

from operator_controller.crd_safety.checks import Change
from operator_controller.crd_safety.checks.unhandled import check_unhandled
from operator_controller.crd_safety.findings import Remark, Risk

KEEP = "x-kubernetes-preserve-unknown-fields"
LIST, MAP, RULES = "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-validations"
CHANGED = "<complex value> -> <complex value> (changed)"


@pytest.mark.parametrize(
    ("name", "old", "new", "text", "risk"),
    [
        ("format", None, "date-time", 'Format "" -> "date-time"', "needs data"),
        ("format", "date-time", None, 'Format "date-time" -> ""', "safe"),
        ("title", "a", "b", 'Title "a" -> "b"', "safe"),
        ("example", 1, 2, "Example <complex value> -> <complex value> (changed)", "safe"),
        ("exclusiveMinimum", False, True, "ExclusiveMinimum false -> true", "needs data"),
        ("exclusiveMaximum", True, None, "ExclusiveMaximum true -> false", "safe"),
        ("multipleOf", 2, 4, "MultipleOf 2 -> 4", "needs data"),
        ("multipleOf", 2, None, "MultipleOf 2 -> <empty>", "safe"),
        ("anyOf", None, [{}], "AnyOf <empty> -> <complex value>", "needs data"),
        ("not", {"type": "string"}, None, "Not <complex value> -> <empty>", "safe"),
        ("additionalProperties", {"type": "string"}, True, f"AdditionalProperties {CHANGED}", "needs data"),
        ("additionalProperties", True, {"type": "string"}, f"AdditionalProperties {CHANGED}", "needs data"),
        ("additionalProperties", {"title": "a"}, {"title": "b"}, f"AdditionalProperties {CHANGED}", "safe"),
        (KEEP, None, True, "XPreserveUnknownFields <empty> -> true", "safe"),
        (KEEP, True, None, "XPreserveUnknownFields true -> <empty>", "needs data"),
        ("x-kubernetes-int-or-string", True, None, "XIntOrString true -> false", "needs data"),
        ("x-kubernetes-embedded-resource", None, True, "XEmbeddedResource false -> true", "safe"),
        ("x-kubernetes-list-map-keys", ["a"], ["a", "b"], 'XListMapKeys ["a"] -> ["a" "b"]', "needs data"),
        (LIST, None, "set", 'XListType <empty> -> "set"', "needs data"),
        (LIST, "map", "atomic", 'XListType "map" -> "atomic"', "breaking"),
        (MAP, "atomic", "granular", 'XMapType "atomic" -> "granular"', "safe"),
        (MAP, None, "atomic", 'XMapType <empty> -> "atomic"', "breaking"),
        (RULES, [{"rule": "a"}], None, "XValidations <complex value> -> <empty>", "safe"),
    ],
)  # fmt: skip
def test_other_difference_is_told_with_its_risk(name: str, old: Any, new: Any, text: str, risk: str) -> None:
    remark = Remark("unhandled", f"unhandled changes found ({text})", Risk(risk))
    assert list(check_unhandled(Change({name: old}, {name: new}))) == [remark]


@pytest.mark.parametrize(
    ("name", "new"), [(RULES, [{"rule": "self.a > 1"}]), ("format", "duration")], ids=["rule", "format"]
)
def test_what_is_not_run_here_cannot_be_decided(name: str, new: Any) -> None:
    [remark] = check_unhandled(Change({}, {name: new}))
    assert (remark.risk, remark.is_decidable) == (Risk.NEEDS_DATA, False)


def test_message_of_a_rule_may_change() -> None:
    old, new = [{"rule": "a", "message": "x"}], [{"rule": "a", "message": "y"}]
    [remark] = check_unhandled(Change({RULES: old}, {RULES: new}))
    assert remark.risk is Risk.SAFE


def test_differences_are_in_the_order_of_the_api_and_the_worst_counts() -> None:
    change = Change({LIST: "map", "format": "a"}, {LIST: "atomic", "title": "t"})
    text = 'unhandled changes found (Format "a" -> ""; Title "" -> "t"; XListType "map" -> "atomic")'
    assert list(check_unhandled(change)) == [Remark("unhandled", text, Risk.BREAKING)]


@pytest.mark.parametrize("new", [{"title": ""}, {"x-kubernetes-int-or-string": False}, {"allOf": []}, {"x-own": 1}])
def test_what_the_api_does_not_tell_apart_is_no_finding(new: dict[str, Any]) -> None:
    assert list(check_unhandled(Change({"description": "a", "minimum": 1}, new))) == []
