"""Definitions from strangers: nothing is raised, nothing changes by itself, and the order of keys is no change."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from operator_controller.crd_safety import AcceptError, Stored, StoredCheck, accepted_of, judge, objects_to_read
from tests.definitions import a_definition, a_lamp, a_version

_QUICK = settings(derandomize=True, deadline=None, max_examples=60)
_NAMES = st.sampled_from(["spec", "size", "color", "items", "a.b", "title"])
_KEYWORDS = (
    *("type", "properties", "items", "additionalProperties", "required", "enum", "default", "pattern", "format"),
    *("minimum", "maxLength", "nullable", "allOf", "oneOf", "not", "x-kubernetes-validations", "multipleOf"),
    *("x-kubernetes-preserve-unknown-fields", "x-kubernetes-int-or-string", "x-kubernetes-list-type"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-embedded-resource", "title", "description"),
)
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4))
_JSON = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES | st.sampled_from(_KEYWORDS), inner, max_size=3),
    max_leaves=12,
)
_TYPES = st.sampled_from(["object", "array", "string", "integer", "number", "boolean"])
_SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {"type": _TYPES},
        optional={
            "enum": st.lists(_SCALARS, max_size=3),
            "minimum": st.integers(-5, 5),
            "maxLength": st.integers(0, 5),
            "pattern": st.sampled_from(["", "^a", "(", "(?=a)"]),
            "nullable": st.booleans(),
            "default": _SCALARS,
            "format": st.sampled_from(["date-time", "duration"]),
            "x-kubernetes-preserve-unknown-fields": st.just(value=True),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(_NAMES, inner, max_size=4),
            "items": inner,
            "additionalProperties": inner,
            "required": st.lists(_NAMES, max_size=2),
            "oneOf": st.lists(inner, max_size=2),
        },
    ),
    max_leaves=8,
)
_PARTS = st.sampled_from(["metadata", "spec", "versions", "status", "storedVersions", "names", "conversion", "schema"])


def of(schema: Any) -> dict[str, Any]:
    return a_definition(a_version(schema=schema))


_MANIFESTS = st.one_of(_JSON, st.dictionaries(_PARTS, _JSON, max_size=5), _SCHEMAS.map(of))


@_QUICK
@given(_MANIFESTS, _MANIFESTS, st.lists(_JSON | _JSON.map(lambda each: {**a_lamp("a"), "spec": each}), max_size=3))
def test_nothing_is_raised_whatever_is_judged(old: Any, new: Any, objects: list[Any]) -> None:
    check = StoredCheck(old, new)
    check.add(objects)
    objects_to_read(old, new)
    for stored in (None, check.result()):
        judge(old, new, None, stored=stored)
        judge(old, None, "Strict", stored=stored)


@_QUICK
@given(_SCHEMAS, st.lists(_JSON, max_size=3))
def test_definition_against_itself_is_safe(schema: Any, specs: list[Any]) -> None:
    check = StoredCheck(of(schema), of(schema))
    check.add([{**a_lamp("a"), "spec": spec} for spec in specs])
    stored = check.result()
    assert (stored.harms, judge(of(schema), of(schema), stored=stored).findings) == ((), ())


@_QUICK
@given(_SCHEMAS, _SCHEMAS)
def test_new_optional_field_is_safe(schema: Any, field: Any) -> None:
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return
    wider = {**schema, "properties": {**schema.get("properties", {}), "new-field": field}}
    assert judge(of(schema), of(wider), stored=Stored(1)).findings == ()


@_QUICK
@given(_SCHEMAS, _SCHEMAS)
def test_order_of_keys_is_no_difference(old: Any, new: Any) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert judge(of(turned(old)), of(turned(new))) == judge(of(old), of(new))


@_QUICK
@given(_SCHEMAS, _SCHEMAS)
def test_accepting_every_blocking_finding_lets_the_upgrade_go_on(old: Any, new: Any) -> None:
    blocking = [each.finding.id for each in judge(of(old), of(new)).findings if each.outcome.is_blocking]
    accepted = accepted_of("\n".join(blocking))
    assert judge(of(old), of(new), None, accepted).failure is None


_ENTRIES = st.lists(st.sampled_from(["lamps.io", ":", "type", "scope", "v1", "^.a", ","])).map("".join)


@_QUICK
@given(st.text(max_size=30) | _ENTRIES)
def test_annotation_is_read_or_refused(text: str) -> None:
    with suppress(AcceptError):
        assert all(each.count(":") for each in accepted_of(text).ids)
