"""One verdict for every definition, with the stored objects where they matter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from olm_cli.crd_checking.places import Definitions
from olmv1.manifests import Manifest
from operator_controller.crd_safety import (
    Accepted,
    CrdVerdict,
    ObjectsToRead,
    Outcome,
    Stored,
    StoredCheck,
    judge,
    objects_to_read,
)

__all__ = ["Check", "Reader", "Result", "checked", "reader_of_objects"]

Reader = Callable[[ObjectsToRead, StoredCheck], Awaitable[Stored]]
"""Feeds the check with the objects that are wanted."""


class Result(StrEnum):
    """What the answer for one definition comes down to."""

    SAFE = "safe"
    ADDED = "added"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict on one definition."""

    result: Result
    verdict: CrdVerdict


async def checked(old: Definitions, new: Definitions, accepted: Accepted, reader: Reader | None) -> tuple[Check, ...]:
    """The checks of every definition of either side, by name; `reader` is `None` when no object can be asked."""
    names = sorted(old.found.keys() | new.found.keys())
    return tuple([await _checked(name, old, new, accepted, reader) for name in names])


def reader_of_objects(objects: Iterable[Manifest]) -> Reader:
    """A reader of objects that are all there is."""
    known = tuple(objects)

    async def read(_: ObjectsToRead, check: StoredCheck) -> Stored:
        check.add(known)
        return check.result()

    return read


async def _checked(name: str, old: Definitions, new: Definitions, accepted: Accepted, reader: Reader | None) -> Check:
    before, after = old.found.get(name), new.found.get(name)
    if before is None:
        return Check(Result.ADDED, CrdVerdict(name))
    wanted = objects_to_read(before, after) if reader is not None else None
    stored = None
    if wanted is not None and reader is not None:
        stored = await reader(wanted, StoredCheck(before, after))
    verdict = judge(before, after, None, accepted, stored)
    return Check(_result(verdict), verdict)


def _result(verdict: CrdVerdict) -> Result:
    outcomes = {each.outcome for each in verdict.findings}
    if outcomes & {Outcome.BREAKS, Outcome.HARMS}:
        return Result.BLOCKED
    return Result.UNKNOWN if Outcome.UNKNOWN in outcomes else Result.SAFE
