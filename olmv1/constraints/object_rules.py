"""Rules in CEL over one object of a cluster, as the probes of revisions have them. Rule: revisions.md 4.2, 9 row 17.

A rule sees the object as `self`: whole numbers are integers, as in rules of CRDs. `ObjectRules` is the port through
which probes ask; `OBJECT_LIBRARY` answers in this process, so rules of strangers go through `olmv1.rules`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Final, Protocol

from olmv1.constraints.reading import is_deeper_than
from olmv1.constraints.rules import Ruling, cel_library, plain_text, ruling_of

__all__ = ["OBJECT_LIBRARY", "ObjectRules", "shown_object"]

_MAX_LEVELS: Final = 64
_TOO_DEEP: Final = f"the object is nested deeper than {_MAX_LEVELS} levels"
_INT64: Final = 2**63


class ObjectRules(Protocol):
    """Something that decides rules about objects."""

    def judge(self, rule: str, obj: Mapping[str, Any]) -> Ruling:
        """Whether the rule holds for the object: one entry in `holds` and `errors`; never raises."""
        ...


class _Library:
    """Decides in this process."""

    def judge(self, rule: str, obj: Mapping[str, Any]) -> Ruling:
        """Whether the rule holds for the object; never raises."""
        shown = shown_object(obj)
        if shown is None:
            return Ruling(holds=(False,), errors=(_TOO_DEEP,))
        return ruling_of(rule, _environment, [{"self": shown}])


OBJECT_LIBRARY: Final[ObjectRules] = _Library()


def shown_object(obj: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object as rules see it; `None` when it is nested too deep for the library."""
    if is_deeper_than(obj, _MAX_LEVELS):
        return None
    return {plain_text(str(key)): _plain(member) for key, member in obj.items()}


@functools.cache
def _environment() -> Any:
    cel = cel_library()
    return None if cel is None else cel.NewEnv(variables={"self": cel.Type.Map(cel.Type.STRING, cel.Type.DYN)})


def _plain(value: object) -> object:
    match value:
        case bool() | None | float():
            return value
        case int():
            return value if -_INT64 <= value < _INT64 else float(value)
        case str():
            return plain_text(value)
        case Mapping():
            return {plain_text(str(key)): _plain(member) for key, member in value.items()}
        case list() | tuple():
            return [_plain(member) for member in value]
    return None
