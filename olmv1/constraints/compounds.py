"""The value of an `olm.constraint` property, to any depth. Rule: dependencies.md 3 and 7.3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.constraints.reading import InvalidConstraint, is_deeper_than, kind_of, members, range_of, size_bytes, text

__all__ = ["MAX_LEVELS", "MAX_SIZE_BYTES", "constraint_of"]

MAX_SIZE_BYTES: Final = 131_072
"""What OLM Classic reads, too."""

MAX_LEVELS: Final = 32
"""Constraints inside constraints, the outermost one included."""

_NESTING_PER_LEVEL: Final = 3
"""A constraint inside another is three containers further in: the member, its list, the constraint."""

_FAILURE_MESSAGE: Final = "failureMessage"


def constraint_of(value: object) -> Predicate:
    """The predicate that the value spells.

    Raises: InvalidConstraint with the path from the value.
    """
    if is_deeper_than(value, MAX_LEVELS * _NESTING_PER_LEVEL):
        raise InvalidConstraint("", f"more than {MAX_LEVELS} levels")
    if size_bytes(value, MAX_SIZE_BYTES) > MAX_SIZE_BYTES:
        raise InvalidConstraint("", f"olm.constraint value is greater than max constraint size {MAX_SIZE_BYTES} bytes")
    return _constraint(value, "", 1)


def _constraint(value: object, path: str, level: int) -> Predicate:
    if level > MAX_LEVELS:
        raise InvalidConstraint(path, f"more than {MAX_LEVELS} levels")
    found = members(value, path, (*_LEAVES, *_COMPOUNDS, _FAILURE_MESSAGE))
    message = text(found, _FAILURE_MESSAGE, path, may_be_empty=True).strip()
    kinds = [key for key in found if key != _FAILURE_MESSAGE]
    if len(kinds) != 1:
        known = ", ".join((*_LEAVES, *_COMPOUNDS))
        shown = " and ".join(sorted(kinds)) or "none"
        raise InvalidConstraint(path, f"expected exactly one of {known}, found {shown}")
    kind, inner = kinds[0], f"{path}.{kinds[0]}"
    if kind in _LEAVES:
        return _LEAVES[kind](found[kind], inner, message)
    return _COMPOUNDS[kind](_parts(found[kind], inner, level), message)


def _parts(value: object, path: str, level: int) -> tuple[Predicate, ...]:
    parts = members(value, path, ("constraints",)).get("constraints", [])
    path = f"{path}.constraints"
    if not isinstance(parts, list):
        raise InvalidConstraint(path, f"expected a list, found {kind_of(parts)}")
    if not parts:
        raise InvalidConstraint(path, "expected at least one constraint, found none")
    return tuple(_constraint(part, f"{path}[{index}]", level + 1) for index, part in enumerate(parts))


def _package(value: object, path: str, message: str) -> Predicate:
    found = members(value, path, ("packageName", "name", "versionRange"))
    if "packageName" in found and "name" in found:
        raise InvalidConstraint(path, "expected packageName or name, found both")
    key = "name" if "name" in found else "packageName"
    return PackageRequired(
        text(found, key, path), range_of(found, "versionRange", path), message, is_spelled_name=key == "name"
    )


def _gvk(value: object, path: str, message: str) -> Predicate:
    found = members(value, path, ("group", "version", "kind"))
    group = text(found, "group", path, may_be_empty=True)
    return ApiRequired(group, text(found, "version", path), text(found, "kind", path), message)


def _cel(value: object, path: str, message: str) -> Predicate:
    return RuleRequired(text(members(value, path, ("rule",)), "rule", path), message)


_LEAVES: Mapping[str, Callable[[object, str, str], Predicate]] = {"gvk": _gvk, "package": _package, "cel": _cel}
_COMPOUNDS: Mapping[str, Callable[[tuple[Predicate, ...], str], Predicate]] = {
    "all": AllOf,
    "any": AnyOf,
    "not": NoneOf,
}
