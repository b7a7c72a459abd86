"""The shape of a rule that removes candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["Filter", "Predicate"]

Predicate = Callable[[Candidate], bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """One named rule.

    `keeps` prepares the rule for one catalog and returns what decides about a candidate, or `None` when the request
    does not ask for the rule. `reason` says why a candidate was removed: asked only when somebody reads the trace.
    """

    name: str
    keeps: Callable[[View], Predicate | None]
    reason: Callable[[Candidate, View], str]
