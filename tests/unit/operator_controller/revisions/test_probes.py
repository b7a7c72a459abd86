from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from olmv1.constraints import OBJECT_LIBRARY
from olmv1.errors import TerminalError
from operator_controller.revisions.probes import DEFAULT_PROBES, Probe, ProbeResult, Truth, evaluate, parse_probes
from tests.builders import an_object


def judged(live: dict[str, Any], probes: Iterable[Probe]) -> ProbeResult:
    return evaluate(live, probes, OBJECT_LIBRARY)


def probe_of(*assertions: dict[str, Any], kind: str = "ConfigMap") -> Any:
    selector = {"type": "GroupKind", "groupKind": {"group": "", "kind": kind}}
    return parse_probes([{"selector": selector, "assertions": list(assertions)}])


CONDITION = {"type": "ConditionEqual", "conditionEqual": {"type": "Ready", "status": "True"}}
EQUAL = {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "status.a", "fieldB": "status.b"}}
VALUE = {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase", "value": "Bound"}}


def rule(text: str) -> dict[str, Any]:
    return {"type": "CEL", "cel": {"rule": text, "message": "n is small"}}


@pytest.mark.parametrize(
    ("assertion", "status", "truth", "message"),
    [
        pytest.param(CONDITION, {}, "Unknown", "missing .status.conditions", id="no conditions"),
        pytest.param(CONDITION, {"conditions": {}}, "Unknown", "malformed .status.conditions", id="malformed"),
        pytest.param(CONDITION, {"conditions": []}, "Unknown", 'missing .status.condition["Ready"]', id="missing"),
        pytest.param(
            CONDITION,
            {"conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1}]},
            "Unknown",
            '.status.condition["Ready"] outdated',
            id="outdated condition",
        ),
        pytest.param(
            CONDITION,
            {"conditions": [{"type": "Ready", "status": "False"}]},
            "False",
            '.status.condition["Ready"] is False',
            id="condition differs",
        ),
        pytest.param(
            CONDITION,
            {"conditions": [{"type": "Ready", "status": "True"}]},
            "True",
            '.status.condition["Ready"] is True',
            id="condition holds",
        ),
        pytest.param(EQUAL, {"a": 1, "b": 1}, "True", '"status.a" == "status.b"', id="equal"),
        pytest.param(EQUAL, {}, "True", '"status.a" == "status.b"', id="both absent"),
        pytest.param(EQUAL, {"a": 1}, "False", '"status.b" missing', id="one absent"),
        pytest.param(EQUAL, {"a": 1, "b": 2}, "False", '"status.a" != "status.b" expected: 1 got: 2', id="differ"),
        pytest.param(VALUE, {"phase": "Bound"}, "True", 'value at key "status.phase" == "Bound"', id="value"),
        pytest.param(VALUE, {}, "False", 'missing key: "status.phase"', id="no value"),
        pytest.param(
            VALUE,
            {"phase": "Pending"},
            "False",
            'value at key "status.phase" != "Bound"; expected: "Bound" got: "Pending"',
            id="another value",
        ),
        pytest.param(
            VALUE,
            {"phase": {"a": 1}},
            "False",
            'value at key "status.phase" != "Bound"; expected: "Bound" got: {"a":1}',
            id="no scalar",
        ),
        pytest.param(
            {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase.x", "value": "1"}},
            {"phase": "Bound"},
            "False",
            'error locating key "status.phase.x"; .status.phase is a string, expected an object',
            id="no way",
        ),
        pytest.param(
            {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "status.phase.x", "fieldB": "status.phase"}},
            {"phase": "Bound"},
            "False",
            '"status.phase.x" missing',
            id="no way to one of two",
        ),
        pytest.param(rule("self.status.n > 1"), {"n": 2}, "True", "n is small", id="rule holds"),
        pytest.param(rule("self.status.n > 1"), {"n": 1}, "False", "n is small", id="rule does not hold"),
        pytest.param(rule("self.status.n % 2 == 0"), {"n": 4}, "True", "n is small", id="whole numbers"),
        pytest.param(
            rule("self.status.n > 1"), {}, "Unknown", "CEL program failed: no such key: n", id="rule without a value"
        ),
        pytest.param(
            rule("self.status.n"),
            {"n": 1},
            "Unknown",
            "CEL program failed: cel expressions must have type Bool",
            id="rule that is no question",
        ),
        pytest.param({"type": "New"}, {}, "Unknown", 'unknown assertion type "New"', id="unknown type"),
    ],
)
def test_evaluate_explains_each_answer(
    assertion: dict[str, Any], status: dict[str, Any], truth: str, message: str
) -> None:
    live = an_object(metadata={"generation": 2}, status=status)
    assert judged(live, probe_of(assertion)) == ProbeResult(Truth(truth), (message,))


def test_evaluate_compares_numbers_by_their_text() -> None:
    assertion = {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase", "value": "3"}}
    assert judged(an_object(status={"phase": 3}), probe_of(assertion)).truth is Truth.TRUE


def test_evaluate_puts_unknown_before_false_before_true() -> None:
    live = an_object(status={"a": 1, "b": 2, "conditions": []})
    assert judged(live, probe_of(EQUAL, CONDITION, VALUE)).messages == ('missing .status.condition["Ready"]',)
    assert len(judged(live, probe_of(EQUAL, VALUE)).messages) == 2


def test_evaluate_waits_for_an_outdated_status() -> None:
    live = an_object(metadata={"generation": 2}, status={"observedGeneration": 1, "a": 1, "b": 1})
    assert judged(live, probe_of(EQUAL)) == ProbeResult(Truth.UNKNOWN, (".status outdated",))


def test_evaluate_is_true_when_no_probe_applies() -> None:
    assert judged(an_object(), probe_of(VALUE, kind="Secret")) == ProbeResult(Truth.TRUE)


def test_parse_probes_selects_by_label() -> None:
    selector = {"type": "Label", "label": {"matchLabels": {"app": "x"}}}
    probes = parse_probes([{"selector": selector, "assertions": [VALUE]}])
    live = an_object(metadata={"labels": {"app": "x"}})
    assert (probes[0].applies_to(live), probes[0].applies_to(an_object())) == (True, False)


def test_parse_probes_refuses_a_bad_selector() -> None:
    selector = {"type": "Label", "label": {"matchExpressions": [{"key": "a", "operator": "In"}]}}
    with pytest.raises(TerminalError, match="progression probe 0: invalid label selector: values for key"):
        parse_probes([{"selector": selector, "assertions": [VALUE]}])


def test_reads_spec_tells_which_probes_need_the_whole_object() -> None:
    spec = {"type": "FieldValue", "fieldValue": {"fieldPath": "spec.replicas", "value": "1"}}
    assert (probe_of(VALUE)[0].reads_spec, probe_of(EQUAL, spec)[0].reads_spec) == (False, True)


def test_default_probes_accept_a_deployment_that_is_available() -> None:
    status = {"replicas": 1, "updatedReplicas": 1, "conditions": [{"type": "Available", "status": "True"}]}
    live = an_object("Deployment", api_version="apps/v1", status=status)
    assert judged(live, parse_probes(DEFAULT_PROBES)).truth is Truth.TRUE


def test_evaluate_shows_no_value_of_a_secret() -> None:
    live = an_object("Secret", data={"password": "hunter2", "other": "x"})
    value = {"type": "FieldValue", "fieldValue": {"fieldPath": "data.password", "value": "y"}}
    equal = {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "data.password", "fieldB": "data.other"}}
    assert judged(live, probe_of(value, equal, kind="Secret")).messages == (
        'value at key "data.password" != "y"',
        '"data.password" != "data.other"',
    )


@pytest.mark.parametrize("status", ["text", 3, ["a"], None])
def test_evaluate_survives_a_status_that_is_no_object(status: object) -> None:
    assert judged(an_object(status=status), probe_of(CONDITION)).messages == ("missing .status.conditions",)


@pytest.mark.parametrize(
    ("text", "is_enough"),
    [
        pytest.param("self.status.a == self.metadata.b", True, id="status and metadata"),
        pytest.param("has(self.status)", True, id="the status itself"),
        pytest.param("self.spec.a == 1", False, id="spec"),
        pytest.param("self.statusText == 1", False, id="another field"),
        pytest.param("self['spec'] == 1", False, id="by key"),
        pytest.param("self.exists(x, x == 'a')", False, id="all of it"),
    ],
)
def test_reads_spec_tells_which_rules_need_the_whole_object(text: str, is_enough: bool) -> None:
    (probe,) = probe_of(rule(text))
    assert (probe.reads_spec, probe.has_rules) == (not is_enough, True)


def test_evaluate_shows_nothing_that_a_rule_says_of_a_secret() -> None:
    live = an_object("Secret", data={"password": "hunter2"})
    needy = rule("{'a': true}[self.data.password]")
    assert judged(live, probe_of(needy, kind="Secret")).messages == (
        "CEL program failed: values of a Secret are not shown",
    )
