"""No automatic rollback: a lower version is taken only when range or channels exclude the installed one.

A respin (same major, minor and patch, such as 3.3.9 → 3.3.9-operator.1) that `replaces` or `skips` the installed bundle
is no rollback, unless edges lead back from it: then the two would replace each other for ever. SelfCertified, which
follows no edges, takes no lower version at all. Rule: decisions 2 and 3, resolution.md 16.1 and 16.8.
"""

from __future__ import annotations

from olmv1.versions import VersionRelease
from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["ROLLBACK"]


def _keeps(view: View) -> Predicate | None:
    installed = view.question.installed_version
    if installed is None or view.may_go_back:
        return None
    key = installed.key  # comparing keys is three times as fast, and nearly every candidate is decided by it
    # A version that cannot be read is not known to be lower; it is never chosen in silence (resolution.md 7, row 7).
    if view.question.request.is_self_certified:
        return lambda candidate: candidate.version is None or candidate.version.key >= key
    return lambda candidate: (
        candidate.version is None
        or candidate.version.key > key
        or _is_level(candidate, candidate.version, view, installed)
    )


def _is_level(candidate: Candidate, version: VersionRelease, view: View, installed: VersionRelease) -> bool:
    if view.is_installed(candidate):
        return True
    if version != installed:
        is_same_patch = version.version.key[:3] == installed.version.key[:3]
        if not is_same_patch or not any(edge.is_named for edge in view.edges.get(candidate.name, ())):
            return False
    return not view.leads_back(candidate)


def _reason(candidate: Candidate, view: View) -> str:
    installed = view.question.installed_version
    is_lower = candidate.version is not None and installed is not None and candidate.version < installed
    relation = "lower than" if is_lower else "the same as"
    return f"version {candidate.version} is {relation} the installed {installed}"


ROLLBACK = Filter("rollback", _keeps, _reason)
