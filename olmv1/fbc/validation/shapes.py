"""Decoded JSON → the fields that a schema knows, and everything that is wrong with their types and names.

Leniency is the reference's: known names match ignoring letter case at every level, a null counts as absent, unknown
names are ignored. All of it is noted. Rule: fbc.md 7 and 16.10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from olmv1.fbc.meta import type_word

__all__ = ["ANY", "TEXT", "Fault", "FaultKind", "ListOf", "MapOf", "ObjectOf", "Scalar", "Shape", "normal"]


class Scalar(Enum):
    """A value without parts."""

    TEXT = auto()
    FLAG = auto()
    ANY = auto()
    """Any value, null too."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one shape."""

    member: Shape


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with free names."""

    member: Shape


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object with known names; `is_open`: others are meant to be there."""

    fields: Mapping[str, Shape]
    is_open: bool = False
    folded: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", {name.casefold(): name for name in self.fields})


Shape = Scalar | ListOf | MapOf | ObjectOf
TEXT = Scalar.TEXT
ANY = Scalar.ANY

_Path = tuple[Any, ...]  # (path of the parent, name or index), () at the top


class FaultKind(Enum):
    """What is wrong with a field."""

    TYPE = auto()
    UNKNOWN = auto()
    SPELLING = auto()


@dataclass(frozen=True, slots=True)
class Fault:
    """One field that is not as it should be: `expected string, found number at entries[2].name`."""

    kind: FaultKind
    message: str


def normal(value: Any, shape: Shape, faults: list[Fault], path: _Path = ()) -> Any:
    """`value` reduced to what `shape` knows, names spelled exactly, nulls left out; what is not so goes to `faults`.

    A value of the wrong type becomes the empty one of its shape.
    """
    if shape is ANY:
        return value
    type_, word, empty = _EXPECTED[shape if isinstance(shape, Scalar) else type(shape)]
    if type(value) is not type_:
        if value is not None:
            faults.append(Fault(FaultKind.TYPE, f"expected {word}, found {type_word(value)}{_at(path)}"))
        return empty()
    match shape:
        case ObjectOf():
            return _members(value, shape, faults, path)
        case ListOf(member):
            return [normal(each, member, faults, (path, number)) for number, each in enumerate(value)]
        case MapOf(member):
            return {key: normal(each, member, faults, (path, key)) for key, each in value.items()}
        case Scalar():
            return value


_EXPECTED: Mapping[object, tuple[Any, str, Callable[[], Any]]] = {
    Scalar.TEXT: (str, "string", str),
    Scalar.FLAG: (bool, "boolean", bool),
    ListOf: (list, "list", list),
    MapOf: (dict, "object", dict),
    ObjectOf: (dict, "object", dict),
}


def _members(value: Mapping[str, Any], shape: ObjectOf, faults: list[Fault], path: _Path) -> dict[str, Any]:
    fields = shape.fields
    found: dict[str, Any] = {}
    for key, member in value.items():
        name = key
        if key not in fields:
            name = shape.folded.get(key.casefold(), "")
            if not name:
                if not shape.is_open:
                    faults.append(_unknown(key, shape, path))
                continue
            faults.append(Fault(FaultKind.SPELLING, f'"{_cut(key)}"{_at(path)} is read as "{name}": spell it so'))
        inner = fields[name]
        if inner is ANY or (inner is TEXT and type(member) is str):  # Nearly all; a call would cost more than the rest.
            found[name] = member
        elif member is not None:
            found[name] = normal(member, inner, faults, (path, name))
    return found


def _unknown(key: str, shape: ObjectOf, path: _Path) -> Fault:
    meant = shape.folded.get(re.sub("[-_ ]", "", key.casefold()))
    advice = f'; did you mean "{meant}"?' if meant else ""
    return Fault(FaultKind.UNKNOWN, f'unknown field "{_cut(key)}"{_at(path)} is ignored{advice}')


def _at(path: _Path) -> str:
    return f" at {_shown(path)}" if path else ""


def _shown(path: _Path) -> str:
    parent, last = path
    before = _shown(parent) if parent else ""
    if isinstance(last, int):
        return f"{before}[{last}]"
    return f"{before}.{_cut(last)}" if before else _cut(last)


_MAX_KEY = 60  # characters


def _cut(key: str) -> str:
    return key if len(key) <= _MAX_KEY else f"{key[: _MAX_KEY - 1]}…"
