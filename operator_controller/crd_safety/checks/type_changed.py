"""Check `type`: a field has another type."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.versions.quoting import quoted
from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import Schema, keeps_unknown, text_of

__all__ = ["TYPE", "check_type"]

TYPE = "type"


def check_type(change: Change) -> Iterator[Remark]:
    """Widening is safe; narrowing (`number` → `integer`, anything → a type) depends on what is stored."""
    old, new = text_of(change.old.get("type")), text_of(change.new.get("type"))
    if old != new:
        risk = _risk(change, old, new)
        yield Remark(TYPE, f"type changed : {quoted(old)} -> {quoted(new)}", risk)


def _risk(change: Change, old: str, new: str) -> Risk:
    if (old, new) == ("integer", "number"):
        return Risk.SAFE
    if new == "" and _takes(change.new, old):
        return Risk.SAFE
    if (old, new) == ("number", "integer") or "" in (old, new):
        return Risk.NEEDS_DATA
    return Risk.BREAKING


def _takes(schema: Schema, kind: str) -> bool:
    """Whether a schema without a type takes every value of `kind`."""
    if schema.get("x-kubernetes-int-or-string") is True:
        return kind in ("integer", "string")
    return keeps_unknown(schema)
