"""Values as plain JSON: records as objects with camelCase members, enumerations as their texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["plain", "record"]


def plain(value: object) -> object:
    """The same as objects, lists, texts, numbers, booleans and `None`."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return record(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def record(value: DataclassInstance) -> dict[str, object]:
    """One record as an object: its fields in their order."""
    return {_camel(each.name): plain(getattr(value, each.name)) for each in fields(value)}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(each.title() for each in others)
