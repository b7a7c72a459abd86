"""Whether an object has become what the rollout waits for.

Rule: revisions.md 4. A probe applies to the objects its selector matches; an object that no probe matches is complete.
Two absent fields are equal in `FieldsEqual`, because Kubernetes leaves out zeros (a Deployment scaled to 0 has neither
`updatedReplicas` nor `replicas`). Rules in CEL are decided by the port `ObjectRules`, which may block: evaluate them in
a thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from olmv1.constraints import ObjectRules
from olmv1.errors import TerminalError
from olmv1.manifests import Manifest, key_of, labels_of
from olmv1.selectors import Selector
from operator_controller.revisions.paths import ABSENT, Lost, at

__all__ = ["DEFAULT_PROBES", "Probe", "ProbeResult", "Truth", "evaluate", "parse_probes"]


_BEYOND_STATUS = re.compile(r"\bself\b(?!\.(?:status|metadata)\b)")
"""Finds a use of the object in a rule that needs more of it than metadata and status."""


class Truth(StrEnum):
    """The three answers of a probe; only `True` lets an object count as complete."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The answer of one or more probes, with the messages that explain it."""

    truth: Truth
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """One progression probe: which objects it is about, and what must hold for them."""

    group_kind: tuple[str, str] | None
    selector: Selector | None
    assertions: tuple[Mapping[str, Any], ...]

    def applies_to(self, live: Manifest) -> bool:
        """Whether the selector matches `live`."""
        if self.group_kind is not None:
            key = key_of(live)
            return (key.group, key.kind) == self.group_kind
        return self.selector is not None and self.selector.matches(labels_of(live))

    @property
    def reads_spec(self) -> bool:
        """Whether an assertion looks at anything but metadata and status."""
        paths = any(not path.startswith(("status.", "metadata.")) for path in self._paths())
        return paths or any(_BEYOND_STATUS.search(rule) for rule in self._rules())

    @property
    def has_rules(self) -> bool:
        """Whether an assertion is a rule in CEL."""
        return any(self._rules())

    def _rules(self) -> Iterator[str]:
        return (str(item["cel"].get("rule")) for item in self.assertions if item.get("type") == "CEL")

    def _paths(self) -> Iterable[str]:
        for assertion in self.assertions:
            fields = assertion.get("fieldsEqual") or {}
            yield from (str(fields[name]) for name in ("fieldA", "fieldB") if name in fields)
            if "fieldValue" in assertion:
                yield str(assertion["fieldValue"].get("fieldPath"))


def parse_probes(probes: Sequence[Mapping[str, Any]]) -> tuple[Probe, ...]:
    """The compiled `spec.progressionProbes` of a ClusterObjectSet.

    Raises:
        TerminalError: a label selector does not parse.
    """
    return tuple(_parse(index, probe) for index, probe in enumerate(probes))


def evaluate(live: Manifest, probes: Iterable[Probe], rules: ObjectRules) -> ProbeResult:
    """The combined answer of all probes that apply to `live`: unknown before false before true. Rule: 4.3."""
    return _combine([_probe(live, probe, rules) for probe in probes if probe.applies_to(live)])


def _parse(index: int, probe: Mapping[str, Any]) -> Probe:
    selector = probe.get("selector") or {}
    assertions = tuple(probe.get("assertions") or ())
    if selector.get("type") == "GroupKind":
        wanted = selector.get("groupKind") or {}
        return Probe((str(wanted.get("group") or ""), str(wanted.get("kind") or "")), None, assertions)
    try:
        return Probe(None, Selector.parse(selector.get("label")), assertions)
    except ValueError as error:
        raise TerminalError(f"progression probe {index}: invalid label selector: {error}") from error


def _probe(live: Manifest, probe: Probe, rules: ObjectRules) -> ProbeResult:
    observed = _status(live).get("observedGeneration")
    if observed is not None and observed != (live.get("metadata") or {}).get("generation"):
        return ProbeResult(Truth.UNKNOWN, (".status outdated",))
    return _combine([_assert(live, assertion, rules) for assertion in probe.assertions])


def _status(live: Manifest) -> Mapping[str, Any]:
    """The status, empty where a custom resource has something else there."""
    status = live.get("status")
    return status if isinstance(status, Mapping) else {}


def _combine(results: Sequence[ProbeResult]) -> ProbeResult:
    for truth in (Truth.UNKNOWN, Truth.FALSE, Truth.TRUE):
        some = [result for result in results if result.truth is truth]
        if some:
            return ProbeResult(truth, tuple(message for result in some for message in result.messages))
    return ProbeResult(Truth.TRUE)


def _assert(live: Manifest, assertion: Mapping[str, Any], rules: ObjectRules) -> ProbeResult:
    match assertion.get("type"):
        case "ConditionEqual":
            return _condition_equal(live, assertion["conditionEqual"])
        case "FieldsEqual":
            return _fields_equal(live, assertion["fieldsEqual"])
        case "FieldValue":
            return _field_value(live, assertion["fieldValue"])
        case "CEL":
            return _rule_holds(live, assertion["cel"], rules)
        case other:
            return ProbeResult(Truth.UNKNOWN, (f'unknown assertion type "{other}"',))


def _condition_equal(live: Manifest, wanted: Mapping[str, Any]) -> ProbeResult:
    type_, status = wanted.get("type"), wanted.get("status")
    conditions = _status(live).get("conditions")
    if conditions is None:
        return ProbeResult(Truth.UNKNOWN, ("missing .status.conditions",))
    if not isinstance(conditions, list) or not all(isinstance(item, Mapping) for item in conditions):
        return ProbeResult(Truth.UNKNOWN, ("malformed .status.conditions",))
    found = next((item for item in conditions if item.get("type") == type_), None)
    if found is None:
        return ProbeResult(Truth.UNKNOWN, (f'missing .status.condition["{type_}"]',))
    observed = found.get("observedGeneration")
    if observed is not None and observed != (live.get("metadata") or {}).get("generation"):
        return ProbeResult(Truth.UNKNOWN, (f'.status.condition["{type_}"] outdated',))
    truth = Truth.TRUE if found.get("status") == status else Truth.FALSE
    return ProbeResult(truth, (f'.status.condition["{type_}"] is {found.get("status")}',))


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _fields_equal(live: Manifest, wanted: Mapping[str, Any]) -> ProbeResult:
    left, right = str(wanted.get("fieldA")), str(wanted.get("fieldB"))
    values = [_found(live, left), _found(live, right)]
    if values[0] == values[1]:
        return ProbeResult(Truth.TRUE, (f'"{left}" == "{right}"',))
    for path, value in zip((left, right), values, strict=True):
        if value is ABSENT:
            return ProbeResult(Truth.FALSE, (f'"{path}" missing',))
    text = f'"{left}" != "{right}"'
    if not _is_secret(live):
        text += f" expected: {_json(values[0])} got: {_json(values[1])}"
    return ProbeResult(Truth.FALSE, (text,))


def _found(live: Manifest, path: str) -> object:
    try:
        return at(live, path)
    except Lost:
        return ABSENT


def _field_value(live: Manifest, wanted: Mapping[str, Any]) -> ProbeResult:
    path, value = str(wanted.get("fieldPath")), str(wanted.get("value"))
    try:
        found = at(live, path)
    except Lost as lost:
        return ProbeResult(Truth.FALSE, (f'error locating key "{path}"; {lost}',))
    if found is ABSENT:
        return ProbeResult(Truth.FALSE, (f'missing key: "{path}"',))
    # JSON scalars are compared by their text, so that a number or boolean can be probed too (revisions.md 9 row 17).
    is_scalar = not isinstance(found, (Mapping, list))
    if is_scalar and (found if isinstance(found, str) else _json(found)) == value:
        return ProbeResult(Truth.TRUE, (f'value at key "{path}" == "{value}"',))
    text = f'value at key "{path}" != "{value}"'
    if not _is_secret(live):
        text += f'; expected: "{value}" got: {_json(found)}'
    return ProbeResult(Truth.FALSE, (text,))


def _rule_holds(live: Manifest, wanted: Mapping[str, Any], rules: ObjectRules) -> ProbeResult:
    """An answer in the words of the rule's author; what the library says may hold values of the object."""
    ruling = rules.judge(str(wanted.get("rule")), live)
    error = ruling.invalid or ruling.unavailable or next(iter(ruling.errors), "")
    if error:
        hidden = _is_secret(live) and not (ruling.invalid or ruling.unavailable)
        return ProbeResult(
            Truth.UNKNOWN, (f"CEL program failed: {'values of a Secret are not shown' if hidden else error}",)
        )
    return ProbeResult(Truth.TRUE if all(ruling.holds) else Truth.FALSE, (str(wanted.get("message")),))


def _is_secret(live: Manifest) -> bool:
    """Whether values of the object must not be shown. Rule: clusterextension.md 11.7."""
    key = key_of(live)
    return (key.group, key.kind) == ("", "Secret")


def _group_kind(group: str, kind: str, *assertions: Mapping[str, Any]) -> dict[str, Any]:
    selector = {"type": "GroupKind", "groupKind": {"group": group, "kind": kind}}
    return {"selector": selector, "assertions": list(assertions)}


def _condition(type_: str) -> dict[str, Any]:
    return {"type": "ConditionEqual", "conditionEqual": {"type": type_, "status": "True"}}


def _equal(left: str, right: str) -> dict[str, Any]:
    return {"type": "FieldsEqual", "fieldsEqual": {"fieldA": f"status.{left}", "fieldB": f"status.{right}"}}


def _phase(value: str) -> dict[str, Any]:
    return {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase", "value": value}}


DEFAULT_PROBES: tuple[Mapping[str, Any], ...] = (
    _group_kind("apiextensions.k8s.io", "CustomResourceDefinition", _condition("Established")),
    _group_kind("cert-manager.io", "Certificate", _condition("Ready")),
    _group_kind("cert-manager.io", "Issuer", _condition("Ready")),
    _group_kind("", "Namespace", _phase("Active")),
    _group_kind("", "PersistentVolumeClaim", _phase("Bound")),
    _group_kind("apps", "Deployment", _equal("updatedReplicas", "replicas"), _condition("Available")),
    _group_kind(
        "apps", "StatefulSet", _equal("readyReplicas", "replicas"), _equal("currentRevision", "updateRevision")
    ),
    _group_kind(
        "apps",
        "DaemonSet",
        _equal("numberAvailable", "desiredNumberScheduled"),
        _equal("updatedNumberScheduled", "desiredNumberScheduled"),
    ),
    _group_kind("batch", "Job", _condition("Complete")),
    _group_kind("apiregistration.k8s.io", "APIService", _condition("Available")),
)
"""The probes of every revision that an extension creates. Rule: revisions.md 4.4, with the kinds of 9 row 17."""
