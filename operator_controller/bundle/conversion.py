"""Typed conversion: what is left of a document after it has passed through the Kubernetes types.

`convert("CustomResourceDefinition", document)` keeps known fields, respells quantities and writes the fields that are
always there. The field tables are in `types.json`, derived from the public API types and compiled when first used:
`{"<type>": {"<field>": "<expression>"}}`, where an expression is a scalar or type, preceded by `*` (absent and zero
differ), `list ` or `map `, and followed by `?` when the field is left out when empty.

Called by the loader and by the renderer (deploymentConfig). Rule: bundle-rendering.md 4.1, 4.3.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from operator_controller.bundle.json_values import memory_kind
from operator_controller.bundle.scalars import SCALARS, ConversionError

__all__ = ["ConversionError", "convert", "dotted", "type_tables"]


@dataclass(frozen=True, slots=True)
class _Type:
    """A compiled expression: how a value is written, and the zero value that stands for an absent one.

    `is_left_out_when_absent` and `is_left_out_when_zero` tell what the flag `?` of a field does for this type.
    """

    convert: Callable[[Any], Any]
    zero: Callable[[], Any]
    is_left_out_when_absent: bool = True
    is_left_out_when_zero: bool = True


@dataclass(frozen=True, slots=True)
class _Field:
    position: int
    name: str
    type: _Type
    is_left_out_when_absent: bool
    is_left_out_when_zero: bool


def convert(type_name: str, value: Any) -> Any:
    """`value` as the API type `type_name` writes it again; a new value, the given one is not changed.

    Raises: ConversionError with the text of the specification and the path of the finding.
    Rule: bundle-rendering.md 4.1.
    """
    return _compiled(type_name).convert(value)


def dotted(path: tuple[str | int, ...]) -> str:
    """The place of a finding as people write it: `spec.versions[0].name`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


@cache
def type_tables() -> dict[str, dict[str, str]]:
    """The field tables: type name -> field -> expression, in the order of encoding."""
    tables: dict[str, dict[str, str]] = json.loads(files(__package__).joinpath("types.json").read_bytes())
    return tables


@cache
def _compiled(expression: str) -> _Type:
    prefix, _, name = expression.rpartition(" ")
    if expression.startswith("*"):
        return _pointer_to(expression[1:])
    if prefix == "list":
        return _list_of(name)
    if prefix == "map":
        return _map_of(name)
    if expression in SCALARS:
        scalar = SCALARS[expression]
        return _Type(scalar.convert, lambda: scalar.zero)
    if expression in _ALTERNATIVES:
        return _Type(_ALTERNATIVES[expression], lambda: None)
    return _struct(expression)


def _pointer_to(expression: str) -> _Type:
    # Compiled when used, not now: a schema contains pointers to, lists of and maps of schemas.
    return _Type(lambda value: _compiled(expression).convert(value), lambda: None, is_left_out_when_zero=False)


def _list_of(item_expression: str) -> _Type:
    def convert_list(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ConversionError(f"cannot restore slice from {memory_kind(value)}")
        item_type = _compiled(item_expression)
        return [_item(item_type, item, index) for index, item in enumerate(value)]

    return _Type(convert_list, lambda: None)


def _map_of(item_expression: str) -> _Type:
    def convert_map(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ConversionError(f"cannot restore map from {memory_kind(value)}")
        item_type = _compiled(item_expression)
        return {key: _item(item_type, item, key) for key, item in value.items()}

    return _Type(convert_map, lambda: None)


def _item(item_type: _Type, item: Any, key: str | int) -> Any:
    if item is None:
        return item_type.zero()
    try:
        return item_type.convert(item)
    except ConversionError as error:
        raise error.inside(key) from None


def _struct(name: str) -> _Type:
    fields = {field: _field(index, field, text) for index, (field, text) in enumerate(type_tables()[name].items())}
    always = [field for field in fields.values() if not field.is_left_out_when_absent]

    def convert_struct(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ConversionError(f"cannot restore struct from: {memory_kind(value)}")
        picked = [fields[key] for key, item in value.items() if item is not None and key in fields]
        picked += [field for field in always if value.get(field.name) is None]
        if len(picked) > 1:
            picked.sort(key=lambda field: field.position)
        written: dict[str, Any] = {}
        for field in picked:
            item = _item(field.type, value.get(field.name), field.name)
            if item or not field.is_left_out_when_zero:
                written[field.name] = item
        return written

    return _Type(convert_struct, lambda: convert_struct({}), is_left_out_when_absent=False, is_left_out_when_zero=False)


def _field(position: int, name: str, text: str) -> _Field:
    kind = _compiled(text.removesuffix("?"))
    is_flagged = text.endswith("?")
    return _Field(
        position,
        name,
        kind,
        is_left_out_when_absent=is_flagged and kind.is_left_out_when_absent,
        is_left_out_when_zero=is_flagged and kind.is_left_out_when_zero,
    )


def _schema_or_bool(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return convert("JSONSchemaProps", value)
    raise ConversionError("boolean or JSON schema expected")


def _schema_or_list(value: Any) -> Any:
    if isinstance(value, dict):
        return convert("JSONSchemaProps", value)
    return _compiled("list JSONSchemaProps").convert(value)


def _schema_or_strings(value: Any) -> Any:
    if isinstance(value, dict):
        return convert("JSONSchemaProps", value)
    return _compiled("list string").convert(value)


_ALTERNATIVES: dict[str, Callable[[Any], Any]] = {
    "schemaOrBool": _schema_or_bool,
    "schemaOrArray": _schema_or_list,
    "schemaOrStringArray": _schema_or_strings,
}
