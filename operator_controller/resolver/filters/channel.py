"""Requested channels: a bundle must be an entry of at least one. Rule: resolution.md 3."""

from __future__ import annotations

from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["CHANNEL"]


def _keeps(view: View) -> Predicate | None:
    wanted = view.question.channels
    return (lambda candidate: not wanted.isdisjoint(candidate.channels)) if wanted else None


def _reason(candidate: Candidate, view: View) -> str:
    wanted = " ".join(view.question.request.channels)
    held = " ".join(sorted(candidate.channels))
    return f"in channels [{held}], not in [{wanted}]" if held else f"in no channel, not in [{wanted}]"


CHANNEL = Filter("channel", _keeps, _reason)
