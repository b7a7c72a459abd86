"""Pinned release: a range that is one full version with `+release` takes that release only. Rule: decision 8."""

from __future__ import annotations

from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View, is_pin_fulfilled

__all__ = ["RELEASE_PIN"]


def _keeps(view: View) -> Predicate | None:
    wanted = view.question.wanted
    if wanted is None or wanted.pinned_build is None:
        return None
    return lambda candidate: candidate.version is not None and is_pin_fulfilled(wanted, candidate.version)


def _reason(candidate: Candidate, view: View) -> str:
    return f"{candidate.version} is another release than {view.question.wanted} pins"


RELEASE_PIN = Filter("release", _keeps, _reason)
