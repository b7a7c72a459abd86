"""The three passes over two definitions, and what each change risks where it stands. Rule: applying.md 5.3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice

from operator_controller.crd_safety.bounded import TooLargeError
from operator_controller.crd_safety.checks import DEFINITION_CHECKS, FIELD_CHECKS, FIELD_REMOVAL, Change
from operator_controller.crd_safety.definition import DefinedVersion, Definition, version_rank
from operator_controller.crd_safety.findings import Finding, Remark, Risk, Stage, finding_id
from operator_controller.crd_safety.schemas import ROOT, Node, keeps_unknown

__all__ = ["STORED_OBJECTS", "UNREADABLE", "compare"]

UNREADABLE = "unreadable"
STORED_OBJECTS = "storedObjects"
"""What no check names, and stored objects show."""
_MAX_FINDINGS = 5000
"""Of one definition; an honest upgrade has a few dozen."""
_MAX_PLACES = 2_000_000
"""That are looked at, over all pairs of versions."""
_MAX_DIFFERENCES = 30_000
"""Places that are not alike, over all pairs of versions."""
_NOTHING: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True)
class _Spot:
    """One path of two schemas that are compared; `label` is how findings call the pair."""

    label: str
    path: str
    old: Node
    new: Node | None
    parent: Node | None
    """The new schema of the values that the old node speaks about, when it is inside a junctor."""


def compare(old: Definition, new: Definition) -> tuple[Finding, ...]:
    """Every change, sorted by pass, version, path and check; two definitions that are alike have none."""
    if old.problems or new.problems:
        return tuple(_unreadable(old, new))
    try:
        found = _Comparison(old, new).findings()
    except TooLargeError as error:
        return tuple(_unreadable(old, replace(new, problems=(str(error),))))
    removed = {(each.version, each.path) for each in found if each.check == FIELD_REMOVAL}
    return tuple(sorted((_explained(each, removed) for each in found), key=lambda each: each.order))


def _unreadable(old: Definition, new: Definition) -> Iterator[Finding]:
    for side, definition in (("installed", old), ("new", new)):
        for problem in definition.problems:
            remark = Remark(UNREADABLE, f"{side} definition: {problem}", Risk.BREAKING)
            yield Finding(old.name, Stage.DEFINITION, "", "", "", remark)


class _Comparison:
    """The three passes over two definitions, with an end to what hostile ones cost."""

    def __init__(self, old: Definition, new: Definition) -> None:
        self._old = old
        self._new = new
        self._places = 0
        self._differences = 0

    def findings(self) -> list[Finding]:
        """Every change. Raises: TooLargeError."""
        passes = chain(self._of_definition(), self._of_same_versions(), self._of_served_versions())
        found = list(islice(passes, _MAX_FINDINGS + 1))
        if len(found) > _MAX_FINDINGS:
            raise TooLargeError(f"has more than {_MAX_FINDINGS} changes")
        return found

    def _of_definition(self) -> Iterator[Finding]:
        old, new = self._old, self._new
        for check in DEFINITION_CHECKS:
            for placed in check(old, new):
                version, remark, place = old.version(placed.version), placed.remark, ROOT
                if version is not None:
                    spot = _spot(version, new.version(placed.version), placed.version, placed.path)
                    remark, place = _in_place(remark, spot), spot.old.place
                yield Finding(
                    old.name, Stage.DEFINITION, placed.version, placed.path, place, remark, label=placed.label
                )

    def _of_same_versions(self) -> Iterator[Finding]:
        for version in self._old.versions:
            after = self._new.version(version.name)
            if after is not None:
                for spot, remark in self._compared(version, after, version.name):
                    yield self._finding(Stage.SAME_VERSION, spot, remark)
                yield from self._described(version, after)

    def _of_served_versions(self) -> Iterator[Finding]:
        """What gets lost between two versions, unless a webhook converts or it got lost before as well."""
        if self._new.has_webhook:
            return
        served = (each for each in self._new.versions if each.is_served)
        for older, newer in combinations(sorted(served, key=lambda each: version_rank(each.name)), 2):
            known = self._known_differences(older.name, newer.name)
            for spot, remark in self._compared(older, newer, f"{older.name} -> {newer.name}"):
                if (spot.path, remark.check) not in known:
                    yield self._finding(Stage.SERVED_VERSIONS, spot, remark)

    def _described(self, before: DefinedVersion, after: DefinedVersion) -> Iterator[Finding]:
        """New fields where anything was kept until now: what is stored there already may not fit."""
        remark = Remark(STORED_OBJECTS, "field added where unknown fields were kept", Risk.NEEDS_DATA)
        for path in sorted(after.nodes.keys() - before.nodes.keys()):
            parent = before.nodes.get(path.rpartition(".")[0])
            if parent is not None and not parent.junctor and keeps_unknown(parent.schema):
                yield Finding(self._old.name, Stage.SAME_VERSION, before.name, path, path, remark)

    def _known_differences(self, older: str, newer: str) -> set[tuple[str, str]]:
        before, after = self._old.version(older), self._old.version(newer)
        if before is None or after is None or not (before.is_served and after.is_served):
            return set()
        return {(spot.path, remark.check) for spot, remark in self._compared(before, after, "")}

    def _compared(self, before: DefinedVersion, after: DefinedVersion, label: str) -> Iterator[tuple[_Spot, Remark]]:
        if before.schema == after.schema:
            return
        self._places += len(before.nodes)
        for path, node in before.nodes.items():
            found = after.nodes.get(path)
            new = found.schema if found is not None else _NOTHING
            if node.schema == new:
                continue
            self._differences += 1
            if self._places > _MAX_PLACES or self._differences > _MAX_DIFFERENCES:
                raise TooLargeError("has too many versions and fields to compare")
            spot = _spot(before, after, label, path)
            for check in FIELD_CHECKS:
                for remark in check(Change(node.schema, new)):
                    yield spot, _in_place(remark, spot)

    def _finding(self, stage: Stage, spot: _Spot, remark: Remark) -> Finding:
        return Finding(self._old.name, stage, spot.label, spot.path, spot.old.place, remark)


def _spot(before: DefinedVersion, after: DefinedVersion | None, label: str, path: str) -> _Spot:
    nodes = after.nodes if after is not None else {}
    old = before.nodes[path]
    return _Spot(label, path, old, nodes.get(path), nodes.get(old.place) if old.junctor else None)


def _in_place(remark: Remark, spot: _Spot) -> Remark:
    """What the remark risks here: a field that is gone takes its data along, and alternatives depend on each other."""
    if spot.old.junctor:
        is_dropped = spot.parent is not None and not spot.parent.schema.get(spot.old.junctor)
        is_relaxed = spot.old.junctor == "allOf" and spot.new is not None and remark.risk is Risk.SAFE
        return replace(remark, risk=Risk.SAFE if is_dropped or is_relaxed else Risk.NEEDS_DATA)
    if spot.new is None:
        return replace(remark, risk=Risk.NEEDS_DATA, is_decidable=True)
    return remark


def _explained(found: Finding, removed: set[tuple[str, str]]) -> Finding:
    """The finding with the id of the outermost removed field that it is only a consequence of."""
    for ancestor in _ancestors(found.path):
        if (found.target, ancestor) in removed:
            cause = finding_id(found.crd, FIELD_REMOVAL, found.target, ancestor)
            return found if cause == found.id else replace(found, cause=cause)
    return found


def _ancestors(path: str) -> Iterator[str]:
    """`^.a.b[0]` → `^`, `^.a`, `^.a.b`, `^.a.b[0]`."""
    for number, character in enumerate(path):
        if number > len(ROOT) - 1 and character in ".[":
            yield path[:number]
    if path:
        yield path
