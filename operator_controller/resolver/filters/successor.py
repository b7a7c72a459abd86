"""Upgrade edge: with something installed, a bundle must be reachable from it in one step, or be it.

Names are compared as well as versions: another bundle of the same version is no way to stay.
Rule: resolution.md 3, "Successor", and 16.19.
"""

from __future__ import annotations

from olmv1.versions import quoted
from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["SUCCESSOR"]


def _keeps(view: View) -> Predicate | None:
    if view.question.installed is None or view.question.request.is_self_certified:
        return None
    edges = view.edges
    return lambda candidate: candidate.name in edges or view.is_installed(candidate)


def _reason(candidate: Candidate, view: View) -> str:
    missing = f"no upgrade edge from {quoted(view.question.request.installed_name)}"
    if candidate.version is not None and candidate.version == view.question.installed_version:
        return f"{missing}; it has the installed version {candidate.version} but another name"
    return missing


SUCCESSOR = Filter("upgrade edge", _keeps, _reason)
