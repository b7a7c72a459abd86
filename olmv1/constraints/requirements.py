"""From the properties of a bundle to its requirements, valid or not.

Called with the properties of a catalog's blob, of a bundle image, or as a revision recorded them. What cannot mean
anything is invalid and says where. Extra keys of the simple types are passed over, as every other reader does.
Rule: dependencies.md 2, 3 and 7.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from olmv1.constraints.compounds import constraint_of
from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    KubernetesRequired,
    LabelRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.constraints.property import Property
from olmv1.constraints.reading import InvalidConstraint, members, range_of, text
from olmv1.constraints.versions import tolerant_version

__all__ = ["MAX_RULES", "REQUIREMENT_TYPES", "Requirement", "requirements_of"]

PACKAGE = "olm.package.required"
API = "olm.gvk.required"
LABEL = "olm.label.required"
CONSTRAINT = "olm.constraint"
KUBERNETES = "olm.kubeversion"

MAX_RULES: Final = 32
"""Rules in CEL of one bundle: each may cost a process and the time that it is given."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of a bundle; `predicate` is `None` when it is invalid, and `error` then says where and why.

    `source` is the property: `olm.constraint[1]` is the second of that type. `value` is what it was read from.
    """

    source: str
    predicate: Predicate | None
    value: object
    error: str = ""


def requirements_of(properties: Iterable[Property]) -> tuple[Requirement, ...]:
    """The requirements among `properties`, in their order; equal ones once."""
    seen: Counter[str] = Counter()
    found: dict[object, Requirement] = {}
    rules = 0
    for property_ in properties:
        parse = _PARSERS.get(property_.type)
        if parse is None:
            continue
        source = f"{property_.type}[{seen[property_.type]}]"
        seen[property_.type] += 1
        requirement = _requirement(source, property_.value, parse)
        rules += _rules_in(requirement.predicate)
        if rules > MAX_RULES and _rules_in(requirement.predicate):
            error = f"invalid dependency: {source}: a bundle has at most {MAX_RULES} rules in CEL"
            requirement = Requirement(source, None, property_.value, error)
        found.setdefault(requirement.predicate or source, requirement)
    return tuple(found.values())


def _requirement(source: str, value: object, parse: Callable[[object], Predicate]) -> Requirement:
    try:
        return Requirement(source, parse(value), value)
    except InvalidConstraint as error:
        return Requirement(source, None, value, f"invalid dependency: {source}{error.path}: {error.reason}")


def _package(value: object) -> Predicate:
    found = members(value, "", ("packageName", "versionRange"), is_strict=False)
    return PackageRequired(text(found, "packageName", ""), range_of(found, "versionRange", ""))


def _api(value: object) -> Predicate:
    found = members(value, "", ("group", "version", "kind"), is_strict=False)
    return ApiRequired(text(found, "group", "", may_be_empty=True), text(found, "version", ""), text(found, "kind", ""))


def _label(value: object) -> Predicate:
    return LabelRequired(text(members(value, "", ("label",), is_strict=False), "label", ""))


def _kubernetes(value: object) -> Predicate:
    written = (
        value if isinstance(value, str) else text(members(value, "", ("version",), is_strict=False), "version", "")
    )
    try:
        return KubernetesRequired(tolerant_version(written))
    except ValueError as error:
        raise InvalidConstraint("" if isinstance(value, str) else ".version", str(error)) from error


_PARSERS: Mapping[str, Callable[[object], Predicate]] = {
    PACKAGE: _package,
    API: _api,
    LABEL: _label,
    CONSTRAINT: constraint_of,
    KUBERNETES: _kubernetes,
}


def _rules_in(predicate: Predicate | None) -> int:
    if isinstance(predicate, AllOf | AnyOf | NoneOf):
        return sum(map(_rules_in, predicate.parts))
    return isinstance(predicate, RuleRequired)


REQUIREMENT_TYPES = frozenset(_PARSERS)
"""The types of property that require something."""
