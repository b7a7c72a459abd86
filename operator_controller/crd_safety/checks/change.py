"""What a check of one field compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from operator_controller.crd_safety.findings import Remark
from operator_controller.crd_safety.schemas import Schema

__all__ = ["Change", "FieldCheck"]


@dataclass(frozen=True, slots=True)
class Change:
    """The schemas of one path; `new` is empty when the path is gone."""

    old: Schema
    new: Schema


FieldCheck = Callable[[Change], Iterator[Remark]]
