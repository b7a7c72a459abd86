"""Version range: the version, its release aside, must be in it. Rule: resolution.md 3 and version-ranges.md."""

from __future__ import annotations

from olmv1.versions import quoted
from operator_controller.resolver.filters.filter import Filter, Predicate
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View

__all__ = ["VERSION"]


def _keeps(view: View) -> Predicate | None:
    wanted = view.question.wanted
    if wanted is None:
        return None
    holds = wanted.admitted.membership

    def keeps(candidate: Candidate) -> bool:
        if candidate.version is None:
            return False
        version = candidate.version.version
        return wanted.contains(version) if version.prerelease else holds(version.key)

    return keeps


def _reason(candidate: Candidate, view: View) -> str:
    if candidate.version is None:
        return f"the version is unreadable: {candidate.version_error}"
    wanted, version = view.question.wanted, candidate.version.version
    is_hidden = wanted is not None and wanted.hides(version)
    finding = "hides this pre-release" if is_hidden else "does not contain it"
    return f"version {version}: range {quoted(str(wanted))} {finding}"


VERSION = Filter("version", _keeps, _reason)
