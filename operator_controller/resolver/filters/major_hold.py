"""Held major version: with `hold_major` no edge is followed into another major version. Rule: decision 4."""

from __future__ import annotations

from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["MAJOR_HOLD"]


def _keeps(view: View) -> Predicate | None:
    request, installed = view.question.request, view.question.installed_version
    if not request.hold_major or request.is_self_certified or installed is None:
        return None
    major = installed.version.major
    # A version that cannot be read is not known to cross; it is never chosen in silence.
    return lambda candidate: candidate.version is None or candidate.version.version.major == major


def _reason(candidate: Candidate, view: View) -> str:
    return (
        f"version {candidate.version} leaves the held major version of the installed {view.question.installed_version}"
    )


MAJOR_HOLD = Filter("major version", _keeps, _reason)
