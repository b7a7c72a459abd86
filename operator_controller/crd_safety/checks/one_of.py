"""Check `oneOf`: other alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from operator_controller.crd_safety.checks.change import Change
from operator_controller.crd_safety.findings import Remark, Risk
from operator_controller.crd_safety.schemas import Schema
from operator_controller.crd_safety.wording import as_json

__all__ = ["ONE_OF", "check_one_of"]

ONE_OF = "oneOf"
_IGNORED = frozenset({"description", "title", "example"})


def check_one_of(change: Change) -> Iterator[Remark]:
    """An alternative more can break as well: a value may fit two. Without any, every value fits."""
    old, new = _alternatives(change.old), _alternatives(change.new)
    if not old and new:
        text = f"oneOf constraint added when there was none previously: [{' '.join(sorted(new))}]"
        yield Remark(ONE_OF, text, Risk.NEEDS_DATA)
        return
    if old - new:
        risk = Risk.NEEDS_DATA if new else Risk.SAFE
        yield Remark(ONE_OF, f"allowed oneOf schemas removed: [{' '.join(sorted(old - new))}]", risk)
    if new - old:
        yield Remark(ONE_OF, f"allowed oneOf schemas added: [{' '.join(sorted(new - old))}]", Risk.NEEDS_DATA)


def _alternatives(schema: Schema) -> set[str]:
    found = schema.get("oneOf")
    return {as_json(_compared(each)) for each in found} if isinstance(found, list) else set()


def _compared(schema: Any) -> Any:
    """The schema without what explains it to people; a field may well be called `title`."""
    if isinstance(schema, list):
        return [_compared(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, item in schema.items():
        if key == "properties" and isinstance(item, dict):
            kept[key] = {name: _compared(each) for name, each in item.items()}
        elif key not in _IGNORED:
            kept[key] = item if key in ("default", "enum") else _compared(item)
    return kept
