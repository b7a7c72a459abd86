"""Check `default`: a field that is left out means something else."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.versions.quoting import quoted
from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.wording import as_json

__all__ = ["DEFAULT", "check_default"]

DEFAULT = "default"


def check_default(change: Change) -> Iterator[Remark]:
    """A new default depends on whether objects leave the field out; what they meant by that, later ones cannot tell."""
    old, new = change.old.get("default"), change.new.get("default")
    before, after = quoted(as_json(old)), quoted(as_json(new))
    if before == after:
        return
    risk = Risk.NEEDS_DATA if old is None else Risk.BREAKING
    if old is None:
        text = f"default added when there was none previously : {after}"
    elif new is None:
        text = f"default value removed : {before}"
    else:
        text = f"default value changed : {before} -> {after}"
    yield Remark(DEFAULT, text, risk)
