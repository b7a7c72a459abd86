"""Check `nullable`: null is allowed, or no longer."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk

__all__ = ["NULLABLE", "check_nullable"]

NULLABLE = "nullable"


def check_nullable(change: Change) -> Iterator[Remark]:
    """To allow null is safe."""
    old, new = change.old.get("nullable") is True, change.new.get("nullable") is True
    if new and not old:
        yield Remark(NULLABLE, "nullable added : false -> true", Risk.SAFE)
    elif old and not new:
        yield Remark(NULLABLE, "nullable removed : true -> false", Risk.NEEDS_DATA)
