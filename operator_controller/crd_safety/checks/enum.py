"""Check `enum`: fewer values are allowed."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import Schema
from operator_controller.crd_safety.wording import as_json

__all__ = ["ENUM", "check_enum"]

ENUM = "enum"


def check_enum(change: Change) -> Iterator[Remark]:
    """More values are no finding; without any enum every value is allowed, which is safe."""
    old, new = _values(change.old), _values(change.new)
    if not old and new:
        text = f"enum constraint added when there was none previously : [{' '.join(sorted(new))}]"
        yield Remark(ENUM, text, Risk.NEEDS_DATA)
    elif old - new:
        risk = Risk.NEEDS_DATA if new else Risk.SAFE
        yield Remark(ENUM, f"allowed enum values removed : [{' '.join(sorted(old - new))}]", risk)


def _values(schema: Schema) -> set[str]:
    found = schema.get("enum")
    return set(map(as_json, found)) if isinstance(found, list) else set()
