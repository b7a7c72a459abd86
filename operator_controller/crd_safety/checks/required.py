"""Check `required`: a field must be there that could be left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import Schema

__all__ = ["REQUIRED", "check_required"]

REQUIRED = "required"


def check_required(change: Change) -> Iterator[Remark]:
    """Safe when every such field has a default, which objects without it are given when they are read."""
    added = sorted(_names(change.new) - _names(change.old))
    if added:
        is_given = all(_has_default(change.new, name) for name in added)
        risk = Risk.SAFE if is_given else Risk.NEEDS_DATA
        yield Remark(REQUIRED, f"new required fields: [{' '.join(added)}]", risk)


def _names(schema: Schema) -> set[str]:
    found: Any = schema.get("required")
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _has_default(schema: Schema, name: str) -> bool:
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, dict) else None
    return isinstance(found, dict) and found.get("default") is not None
