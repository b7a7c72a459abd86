"""Check `pattern`: texts must look otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.versions.quoting import quoted
from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import text_of

__all__ = ["PATTERN", "check_pattern"]

PATTERN = "pattern"


def check_pattern(change: Change) -> Iterator[Remark]:
    """A pattern that goes is safe."""
    old, new = text_of(change.old.get("pattern")), text_of(change.new.get("pattern"))
    if old == new:
        return
    what = "added" if not old else "changed" if new else "removed"
    risk = Risk.NEEDS_DATA if new else Risk.SAFE
    yield Remark(PATTERN, f"pattern {what} : {quoted(old)} -> {quoted(new)}", risk)
