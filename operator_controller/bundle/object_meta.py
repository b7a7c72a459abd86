"""Whether the `metadata` of a manifest has the shape that the API server reads.

Unlike the typed conversion this changes nothing: additional resources stay as written. Rule: bundle-rendering.md 3.2.
"""

from __future__ import annotations

from typing import Any

from operator_controller.bundle.conversion import type_tables
from operator_controller.bundle.json_values import json_kind
from operator_controller.bundle.scalars import SCALARS

__all__ = ["check_object_meta"]

_PYTHON_TYPES = {"string": str, "bool": bool, "int64": int}


def check_object_meta(metadata: Any) -> None:
    """Accept `metadata` that decodes as ObjectMeta; `None` is accepted too.

    Raises: ValueError with the decoder's text, e.g. `json: cannot unmarshal bool into Go struct field
    ObjectMeta.metadata.annotations of type string`.
    """
    _check("ObjectMeta", metadata, "", "metadata")


def _check(expression: str, value: Any, struct: str, path: str) -> None:
    if value is None or expression == "json":
        return
    prefix, _, item_expression = expression.rpartition(" ")
    if prefix == "list":
        _require(list, value, struct, f"{path} of type []{_go_name(item_expression)}")
        for item in value:
            _check(item_expression, item, struct, path)
    elif prefix == "map":
        _require(dict, value, struct, f"{path} of type map[string]{_go_name(item_expression)}")
        for item in value.values():
            _check(item_expression, item, struct, path)
    elif expression == "time":
        SCALARS["time"].convert(value)
    elif expression in _PYTHON_TYPES:
        _require(_PYTHON_TYPES[expression], value, struct, f"{path} of type {expression}")
    else:
        _require(dict, value, struct, f"{path} of type v1.{expression}")
        for name, text in type_tables()[expression].items():
            _check(text.strip("*?"), value.get(name), expression, f"{path}.{name}")


def _go_name(expression: str) -> str:
    return expression if expression in SCALARS else f"v1.{expression}"


def _require(python_type: type, value: Any, struct: str, target: str) -> None:
    if type(value) is not python_type:  # a bool is an int for isinstance
        found = f"number {value}" if isinstance(value, float) else json_kind(value)
        raise ValueError(f"json: cannot unmarshal {found} into Go struct field {struct}.{target}")
