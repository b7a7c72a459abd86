"""The scalars of the Kubernetes types: what each accepts, how it is written again, and its zero value.

Used by `conversion` alone. Rule: bundle-rendering.md 4.1, 4.3.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from operator_controller.bundle.csv_version import check_release, check_version
from operator_controller.bundle.json_values import compact_json, json_kind, memory_kind, number
from operator_controller.bundle.quantities import canonical_quantity

__all__ = ["SCALARS", "ConversionError", "Scalar"]

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_INT32 = range(-(2**31), 2**31)
_INT64 = range(-(2**63), 2**63)


class ConversionError(ValueError):
    """A value that its type does not take; `str()` is the text of the specification, `path` the place of the value."""

    def __init__(self, words: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(words)
        self.path = path

    def inside(self, key: str | int) -> ConversionError:
        """The same finding seen from the mapping or list that holds the value under `key`."""
        return ConversionError(str(self), (key, *self.path))


@dataclass(frozen=True, slots=True)
class Scalar:
    """How a value of one scalar type is written, and what is written when there is none."""

    convert: Callable[[Any], Any]
    zero: Any


def _string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        raise ConversionError("cannot convert int64 to string")
    raise ConversionError("unrecognized type: string")


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise ConversionError("unrecognized type: bool")


def _integer(name: str, limits: range) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ConversionError(f"unrecognized type: {name}")
        if value != int(value) or int(value) not in limits:  # `1.5 in limits` would count through the range
            raise ConversionError(f"cannot convert {memory_kind(value)} to {name}")
        return int(value)

    return convert


def _float64(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConversionError("unrecognized type: float64")
    return number(float(value))


def _bytes(value: Any) -> str:
    if not isinstance(value, str):
        raise ConversionError(f"cannot restore slice from {memory_kind(value)}")
    try:
        return base64.b64encode(base64.b64decode(value, validate=True)).decode()
    except (binascii.Error, ValueError):
        raise ConversionError("illegal base64 data") from None


def _quantity(value: Any) -> str:
    text = value if isinstance(value, str) else compact_json(value)
    try:
        return canonical_quantity(text)
    except ValueError as error:
        raise ConversionError(str(error)) from None


def _int_or_string(value: Any) -> str | int:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value in _INT32:
        return value
    found = f"number {value}" if json_kind(value) == "number" else json_kind(value)
    raise ConversionError(f"json: cannot unmarshal {found} into Go value of type int32")


def _time(value: Any) -> str:
    text = _json_string(value)
    try:
        if not _RFC3339.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise ConversionError(f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": not an RFC 3339 time') from None


def _checked(check: Callable[[str], None]) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        text = _json_string(value)
        try:
            check(text)
        except ValueError as error:
            raise ConversionError(str(error)) from None
        return text

    return convert


def _json_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ConversionError(f"json: cannot unmarshal {json_kind(value)} into Go value of type string")


SCALARS: Mapping[str, Scalar] = MappingProxyType(
    {
        "string": Scalar(_string, ""),
        "bool": Scalar(_bool, zero=False),
        "int32": Scalar(_integer("int32", _INT32), 0),
        "int64": Scalar(_integer("int64", _INT64), 0),
        "float64": Scalar(_float64, 0),
        "bytes": Scalar(_bytes, None),
        "quantity": Scalar(_quantity, "0"),
        "intOrString": Scalar(_int_or_string, 0),
        "time": Scalar(_time, None),
        "json": Scalar(lambda value: value, None),
        "semverTolerant": Scalar(_checked(check_version), "0.0.0"),
        "release": Scalar(_checked(check_release), ""),
    }
)
