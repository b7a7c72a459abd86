"""Check `unhandled`: every difference that no other check knows: formats, CEL rules, kinds of lists, unknown fields.

Unlike in the reference, what only explains (titles, examples) or relaxes is known as safe. Rule: applying.md 5.2, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.versions.quoting import quoted
from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.wording import as_json, listed_json

__all__ = ["DECIDED_FORMATS", "UNHANDLED", "check_unhandled"]

UNHANDLED = "unhandled"
DECIDED_FORMATS = frozenset({"date-time", "email", "ipv4", "ipv6"})
"""Formats that stored objects are checked for; what the API server means by others is not repeated here."""

_EMPTY = "<empty>"
_COMPLEX = "<complex value>"


def _text(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else quoted("") if value is None else _COMPLEX


def _flag(value: Any) -> str:
    return "true" if value is True else "false"


def _optional(value: Any) -> str:
    if value is None:
        return _EMPTY
    return quoted(value) if isinstance(value, str) else as_json(value)


def _names(value: Any) -> str:
    return listed_json(value) if isinstance(value, list) and value else _EMPTY


def _complex(value: Any) -> str:
    return _EMPTY if value is None else _COMPLEX


@dataclass(frozen=True, slots=True)
class _Difference:
    old: Any
    new: Any


_Judged = tuple[Risk, bool]
_SAFE: _Judged = (Risk.SAFE, True)
_DECIDABLE: _Judged = (Risk.NEEDS_DATA, True)
_UNDECIDABLE: _Judged = (Risk.NEEDS_DATA, False)
_BREAKING: _Judged = (Risk.BREAKING, True)


def _harmless(_: _Difference) -> _Judged:
    return _SAFE


def _constraint(found: _Difference) -> _Judged:
    """Nothing forbids what was allowed once the constraint is gone."""
    return _SAFE if found.new in (None, False) else _DECIDABLE


def _format(found: _Difference) -> _Judged:
    if not found.new:
        return _SAFE
    return _DECIDABLE if found.new in DECIDED_FORMATS else _UNDECIDABLE


def _relaxation(found: _Difference) -> _Judged:
    return _SAFE if found.new is True else _DECIDABLE


def _others(found: _Difference) -> _Judged:
    """Schemas of both sides are compared place by place of their own."""
    return _SAFE if isinstance(found.old, Mapping) and isinstance(found.new, Mapping) else _DECIDABLE


def _list_type(found: _Difference) -> _Judged:
    """Owners of single items lose them to whoever applies the whole list next."""
    return _DECIDABLE if found.old in (None, "atomic") else _BREAKING


def _map_type(found: _Difference) -> _Judged:
    return _BREAKING if found.new == "atomic" else _SAFE


def _rules(found: _Difference) -> _Judged:
    """Rules in CEL are not run here; one that goes is safe."""
    old, new = (
        {as_json([each.get("rule"), each.get("optionalOldSelf")]) for each in side if isinstance(each, Mapping)}
        for side in (found.old or (), found.new or ())
    )
    return _UNDECIDABLE if new - old else _SAFE


@dataclass(frozen=True, slots=True)
class _Field:
    """How a field is called in messages, printed and judged."""

    title: str
    show: Callable[[Any], str]
    judge: Callable[[_Difference], _Judged]


# In the order of the API's own type.
_FIELDS: Mapping[str, _Field] = {
    "id": _Field("ID", _text, _harmless),
    "$schema": _Field("Schema", _text, _harmless),
    "$ref": _Field("Ref", _optional, _harmless),
    "format": _Field("Format", _text, _format),
    "title": _Field("Title", _text, _harmless),
    "exclusiveMaximum": _Field("ExclusiveMaximum", _flag, _constraint),
    "exclusiveMinimum": _Field("ExclusiveMinimum", _flag, _constraint),
    "uniqueItems": _Field("UniqueItems", _flag, _constraint),
    "multipleOf": _Field("MultipleOf", _optional, _constraint),
    "allOf": _Field("AllOf", _complex, _constraint),
    "anyOf": _Field("AnyOf", _complex, _constraint),
    "not": _Field("Not", _complex, _constraint),
    "additionalProperties": _Field("AdditionalProperties", _complex, _others),
    "patternProperties": _Field("PatternProperties", _complex, _constraint),
    "dependencies": _Field("Dependencies", _complex, _constraint),
    "additionalItems": _Field("AdditionalItems", _complex, _constraint),
    "definitions": _Field("Definitions", _complex, _harmless),
    "externalDocs": _Field("ExternalDocs", _complex, _harmless),
    "example": _Field("Example", _complex, _harmless),
    "x-kubernetes-preserve-unknown-fields": _Field("XPreserveUnknownFields", _optional, _relaxation),
    "x-kubernetes-embedded-resource": _Field("XEmbeddedResource", _flag, _relaxation),
    "x-kubernetes-int-or-string": _Field("XIntOrString", _flag, _relaxation),
    "x-kubernetes-list-map-keys": _Field("XListMapKeys", _names, _constraint),
    "x-kubernetes-list-type": _Field("XListType", _optional, _list_type),
    "x-kubernetes-map-type": _Field("XMapType", _optional, _map_type),
    "x-kubernetes-validations": _Field("XValidations", _complex, _rules),
}
_EMPTY_VALUES: tuple[Any, ...] = (None, False, "", [], {})


def check_unhandled(change: Change) -> Iterator[Remark]:
    """One remark about all of them; it risks what its worst difference risks."""
    shown: list[str] = []
    judged: list[_Judged] = []
    for name, field in _FIELDS.items():
        if name not in change.old and name not in change.new:
            continue
        found = _Difference(_filled(change.old.get(name)), _filled(change.new.get(name)))
        if as_json(found.old) == as_json(found.new):
            continue
        before, after = field.show(found.old), field.show(found.new)
        shown.append(f"{field.title} {before} -> {after}{' (changed)' * (before == after)}")
        judged.append(field.judge(found))
    if not shown:
        return
    risks = {risk for risk, _ in judged}
    worst = next(risk for risk in (Risk.BREAKING, Risk.NEEDS_DATA, Risk.SAFE) if risk in risks)
    is_decidable = all(decidable for _, decidable in judged)
    yield Remark(UNHANDLED, f"unhandled changes found ({'; '.join(shown)})", worst, is_decidable)


def _filled(value: Any) -> Any:
    """Nothing for what the API server does not keep apart from nothing."""
    return (
        None
        if any(value is empty or (type(value) is type(empty) and value == empty) for empty in _EMPTY_VALUES)
        else value
    )
