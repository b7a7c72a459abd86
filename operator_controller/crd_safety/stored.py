"""Stored objects against a new definition: which would lose data, and which would become invalid.

A shell feeds `StoredCheck` page by page; `judge` takes the result. What an object would lose, or what is wrong with it,
under the old definition as well is nobody's fault now and is left out. Rule: applying.md 5.4, 10 rows 12 and 21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from operator_controller.crd_safety.bounded import TooLargeError, bounded
from operator_controller.crd_safety.definition import DefinedVersion, Definition, definition_of
from operator_controller.crd_safety.pruning import Place, filled, places_in, pruned
from operator_controller.crd_safety.schemas import ROOT, Schema, child_of, place_of
from operator_controller.crd_safety.validity import Fault, Validity

__all__ = ["Harm", "HarmKind", "Stored", "StoredCheck"]

_MAX_NAMES = 100
"""Names that are kept for one harm; more are only counted."""
_MAX_HARMS = 1000
_MAX_PLACES = 1000
"""Places that are looked at in what one object loses."""


class HarmKind(StrEnum):
    """What would become of objects."""

    LOSS = "would lose data"
    INVALID = "would become invalid"
    CHANGED = "would be given a value"
    """By a default where there was none."""


@dataclass(frozen=True, slots=True)
class Harm:
    """`count` objects, of which the first hundred are named, at one path of the schema of one version.

    `detail` is what is wrong with the first of them: without its values, which may be secret.
    """

    version: str
    path: str
    kind: HarmKind
    count: int
    names: tuple[str, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known about the objects of one kind: how many were looked at, and what would become of them.

    `is_complete`: there are no others. `undecided`: places (version, path) whose schema cannot be used here; the path
    `^` stands for a whole version.
    """

    count: int
    names: tuple[str, ...] = ()
    harms: tuple[Harm, ...] = ()
    is_complete: bool = True
    undecided: frozenset[tuple[str, str]] = frozenset()


@dataclass(slots=True)
class _Counted:
    detail: str
    count: int = 0
    names: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        self.count += 1
        if len(self.names) < _MAX_NAMES:
            self.names.append(name)


class StoredCheck:
    """Looks at the objects of one kind, one after the other; keeps names and numbers only."""

    def __init__(self, old: object, new: object | None) -> None:
        """`new` is `None` for a definition that would be deleted: then objects are only counted."""
        self._old = definition_of(old)
        self._new = None if new is None else definition_of(new)
        self._validity: dict[tuple[bool, str], Validity | None] = {}
        self._harms: dict[tuple[str, str, HarmKind], _Counted] = {}
        self._all = _Counted("")
        self._undecided: set[tuple[str, str]] = set()

    def add(self, objects: Iterable[object]) -> None:
        """Look at objects of the definition; those of other kinds are passed over."""
        for found in objects:
            if not isinstance(found, Mapping) or not self._is_ours(found):
                continue
            name = _name_of(found)
            self._all.add(name)
            if self._new is not None:
                self._look_at(name, found, self._new)

    def result(self, *, is_complete: bool = True) -> Stored:
        """What was found until now; `is_complete`: every object was looked at."""
        harms = (
            Harm(version, path, kind, found.count, tuple(found.names), found.detail)
            for (version, path, kind), found in sorted(self._harms.items())
        )
        return Stored(self._all.count, tuple(self._all.names), tuple(harms), is_complete, frozenset(self._undecided))

    def _is_ours(self, found: Mapping[str, Any]) -> bool:
        group, _, _ = str(found.get("apiVersion")).rpartition("/")
        return (group, found.get("kind")) == (self._old.group, self._old.kind)

    def _look_at(self, name: str, found: Mapping[str, Any], new: Definition) -> None:
        written = str(found.get("apiVersion")).rpartition("/")[2]
        own = self._old.version(written)
        try:
            value = bounded(found)
        except TooLargeError:
            own = None
        if own is None:
            self._undecided |= {(each.name, ROOT) for each in new.versions}
            return
        if self._old.prunes:
            value, _ = pruned(own.schema, value)
        targets = _targets(new, written)
        self._undecided |= {(each.name, ROOT) for each in new.versions if each not in targets}
        seen: dict[tuple[str, str, HarmKind], str] = {}
        for after in targets:
            for key, detail in self._harms_in(value, own, after):
                seen.setdefault(key, detail)
        for key, detail in seen.items():
            self._count(key, detail, name)

    def _harms_in(
        self, value: Any, own: DefinedVersion, after: DefinedVersion
    ) -> Iterator[tuple[tuple[str, str, HarmKind], str]]:
        before = self._old.version(after.name) or own
        left, lost = pruned(after.schema, value)
        known = set(pruned(before.schema, value)[1]) if self._old.prunes else set()
        for place in (each for each in lost if each not in known):
            for path in _lost_places(own.schema, value, place):
                yield (after.name, path, HarmKind.LOSS), "the field is removed"
        now, given = filled(after.schema, left)
        was, given_before = filled(before.schema, value)
        for place in set(given) - set(given_before):
            path = place_of(after.schema, place)
            if path in before.nodes:
                yield (after.name, path, HarmKind.CHANGED), "the default is new"
        old_faults = {each.identity for each in self._faults(before, was, is_new=False)}
        for fault in self._faults(after, now, is_new=True):
            if fault.identity not in old_faults:
                yield (after.name, fault.path, HarmKind.INVALID), fault.text

    def _faults(self, version: DefinedVersion, value: Any, *, is_new: bool) -> list[Fault]:
        key = is_new, version.name
        if key not in self._validity:
            self._validity[key] = self._prepared(version, is_new=is_new)
        validity = self._validity[key]
        return [] if validity is None else validity.faults(value)

    def _prepared(self, version: DefinedVersion, *, is_new: bool) -> Validity | None:
        try:
            validity = Validity(version.schema)
        except ValueError:
            self._undecided.add((version.name, ROOT))
            return None
        if is_new:
            self._undecided |= {(version.name, path) for path in validity.undecided}
        return validity

    def _count(self, key: tuple[str, str, HarmKind], detail: str, name: str) -> None:
        if key not in self._harms and len(self._harms) >= _MAX_HARMS:
            self._undecided.add((key[0], ROOT))
            return
        self._harms.setdefault(key, _Counted(detail)).add(name)


def _targets(new: Definition, written: str) -> list[DefinedVersion]:
    """The versions that the object can be seen in: only a webhook knows what it is in another than its own."""
    return [each for each in new.versions if each.name == written or not new.has_webhook]


def _lost_places(schema: Schema, value: Any, place: Place) -> list[str]:
    """The path of what is lost, and of everything inside it."""
    inside, own = value, schema
    for key in place:
        inside = inside[key]
        own = child_of(own, key)[1] or {}
    found: list[str] = []
    for path in places_in(own, inside, place_of(schema, place)):
        found.append(path)
        if len(found) >= _MAX_PLACES:
            break
    return found


def _name_of(found: Mapping[str, Any]) -> str:
    """`shop/till`, or `till` for an object without namespace."""
    metadata = found.get("metadata")
    known = metadata if isinstance(metadata, Mapping) else {}
    return "/".join(str(part) for part in (known.get("namespace"), known.get("name")) if part) or "(unnamed)"
