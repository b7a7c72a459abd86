"""The properties of a blob: their shape, and the values of every type that is known. Rule: fbc.md 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.fbc.validation import schemas
from olmv1.fbc.validation.facts import Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes
from olmv1.fbc.validation.shapes import Fault, FaultKind, normal
from olmv1.fbc.validation.texts import base64_fault, decoded
from olmv1.yaml import YamlError, load_all, load_json

__all__ = ["check_properties", "check_shape"]


def check_properties(
    properties: Sequence[Mapping[str, Any]], spot: Spot, notes: Notes
) -> list[Mapping[str, Any] | None]:
    """Note what is wrong with the properties of a bundle or channel.

    What comes out is the value of each `olm.package` property, `None` for one that cannot be read.
    """
    identities: list[Mapping[str, Any] | None] = []
    for number, found in enumerate(properties):
        type_ = found.get("type", "")
        value = _value(found, number, spot, notes)
        if not type_:
            notes.add(spot, Code.PROPERTY_WITHOUT_TYPE, f"property[{number}] has no type")
        elif "value" in found and found["value"] is None:
            notes.add(spot, Code.NULL_PROPERTY, f'property[{number}] of type "{type_}" has the value null')
        if type_ == schemas.PACKAGE:
            is_null = "value" in found and found["value"] is None
            identities.append({} if is_null else value)
        elif value is not None:
            _check_meaning(type_, value, f'property[{number}] of type "{type_}"', spot, notes)
    return identities


def check_shape(properties: object, spot: Spot, notes: Notes) -> None:
    """Note what is wrong with `properties` of a blob whose schema is not known. Rule: fbc.md 6, abstract shape."""
    if not isinstance(properties, list):
        notes.add(spot, Code.PROPERTIES_SHAPE, "properties must be a list")
        return
    for number, found in enumerate(properties):
        if not isinstance(found, dict):
            notes.add(spot, Code.PROPERTIES_SHAPE, f"property[{number}] must be an object with type and value")
        elif not isinstance(found.get("type"), str) or not found["type"]:
            notes.add(spot, Code.PROPERTY_WITHOUT_TYPE, f"property[{number}] has no type")
        elif found.get("value") is None:
            notes.add(spot, Code.NULL_PROPERTY, f'property[{number}] of type "{found["type"]}" has no value')


def _value(found: Mapping[str, Any], number: int, spot: Spot, notes: Notes) -> Any:
    """The value reduced to what its type knows; `None` when there is none, or not of that type."""
    type_ = found.get("type", "")
    what = f'parse properties for {spot.subject.schema.removeprefix("olm.")} "{spot.subject.name}"'
    where = f'{what}: parse property[{number}] of type "{type_}"'
    if "value" not in found:
        notes.add(spot, Code.BAD_PROPERTY, f"{where}: unexpected end of JSON input")
        return None
    if type_ == schemas.BUNDLE_OBJECT:
        _check_object(found["value"], number, spot, notes)
        return None
    shape = schemas.PROPERTIES.get(type_)
    if shape is None or found["value"] is None:
        return found["value"]
    faults: list[Fault] = []
    value = normal(found["value"], shape, faults)
    for fault in faults:
        if fault.kind is FaultKind.TYPE:
            notes.add(spot, Code.BAD_PROPERTY, f"{where}: {fault.message}")
        else:
            code = Code.UNKNOWN_FIELD if fault.kind is FaultKind.UNKNOWN else Code.FIELD_SPELLING
            notes.add(spot, code, f'property[{number}] of type "{type_}": {fault.message}')
    return value if all(fault.kind is not FaultKind.TYPE for fault in faults) else None


def _check_object(value: object, number: int, spot: Spot, notes: Notes) -> None:
    """Note an embedded manifest that is no base64, or neither JSON nor YAML."""
    subject = spot.subject
    before = f'read bundle objects: package "{subject.package}", bundle "{subject.name}": '
    data = value.get("data", "") if isinstance(value, dict) else value
    if not isinstance(value, dict) or not isinstance(data, str):
        message = f"parse property at index {number} as bundle object: expected object with base64 text as data"
        notes.add(spot, Code.BAD_BUNDLE_OBJECT, before + message)
        return
    manifest = decoded(data)
    if manifest is None:
        fault = base64_fault(data)
        message = f"parse property at index {number} as bundle object: {fault}"
        notes.add(spot, Code.BAD_BUNDLE_OBJECT, before + message)
    elif fault := _manifest_fault(manifest):
        message = f"convert bundle object property at index {number} to JSON: {fault}"
        notes.add(spot, Code.BAD_BUNDLE_OBJECT, before + message)


# Manifests are JSON in all real catalogs. The YAML parser is slow, and nothing can interrupt it.
_LARGEST_YAML_BYTES = 256 * 1024


def _manifest_fault(manifest: bytes) -> str:
    try:
        load_json(manifest)
    except YamlError:
        if len(manifest) > _LARGEST_YAML_BYTES:
            return ""
        try:
            load_all(manifest)
        except YamlError as error:
            return error.detail
    return ""


def _check_meaning(type_: str, value: Any, where: str, spot: Spot, notes: Notes) -> None:
    """Note values that are well-formed and cannot be meant. Rule: fbc.md 16.8 and 16.13."""
    if type_ == schemas.GVK:
        if missing := [field for field in ("group", "version", "kind") if not value.get(field)]:
            notes.add(spot, Code.EMPTY_GVK, f"{where} has no {', '.join(missing)}")
    elif type_ == schemas.MAX_OPENSHIFT and not isinstance(value, str):
        notes.add(spot, Code.UNQUOTED_NUMBER, f'{where} has the number {value!r:.20}: write it as text, such as "4.20"')
