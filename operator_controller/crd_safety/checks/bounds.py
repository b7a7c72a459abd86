"""Checks `minimum`, `minLength`, `minItems`, `minProperties` and their counterparts with `max`: a narrower range."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import Schema
from operator_controller.crd_safety.wording import as_number

__all__ = ["LOWER_BOUNDS", "UPPER_BOUNDS", "check_bounds"]

LOWER_BOUNDS = ("minimum", "minLength", "minItems", "minProperties")
UPPER_BOUNDS = ("maximum", "maxLength", "maxItems", "maxProperties")


def check_bounds(change: Change) -> Iterator[Remark]:
    """A bound that goes, or moves away, is no finding."""
    for name in (*LOWER_BOUNDS, *UPPER_BOUNDS):
        old, new = _bound(change.old, name), _bound(change.new, name)
        if new is None:
            continue
        if old is None:
            text = f"{name} constraint added when there was none previously : {as_number(new)}"
        elif new > old and name in LOWER_BOUNDS:
            text = f"{name} increased : {as_number(old)} -> {as_number(new)}"
        elif new < old and name in UPPER_BOUNDS:
            text = f"{name} decreased : {as_number(old)} -> {as_number(new)}"
        else:
            continue
        yield Remark(name, text, Risk.NEEDS_DATA)


def _bound(schema: Schema, name: str) -> float | None:
    found = schema.get(name)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None
