"""The condition messages of a resolution, word for word.

Tools compare them in full: explanations belong into notes and the trace. Rule: resolution.md 7.
"""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.versions import quoted
from operator_controller.resolver.request import CatalogProblem, InstalledBundle, Request

__all__ = [
    "ambiguous",
    "catalog_unusable",
    "installed_version_unreadable",
    "nothing_found",
    "range_invalid",
    "version_unreadable",
]


def range_invalid(text: str, parser_text: str) -> str:
    """Row 2."""
    return f"desired version range {quoted(text)} is invalid: {parser_text}"


def catalog_unusable(package: str, problem: CatalogProblem) -> str:
    """Row 4."""
    return (
        f"error walking catalogs: error getting package {quoted(package)} "
        f"from catalog {quoted(problem.name)}: {problem.message}"
    )


def installed_version_unreadable(installed: InstalledBundle, error: str, *, is_release: bool) -> str:
    """Row 5."""
    start = "error walking catalogs: error finding upgrade edges: failed to"
    if installed.release is None:
        return f"{start} get version and release of installed bundle: {error}"
    part, text = ("release", installed.release) if is_release else ("version", installed.version)
    return f"{start} parse installed bundle version and release: error parsing {part} {quoted(text)}: {error}"


def nothing_found(request: Request) -> str:
    """Row 6 without an offer."""
    return _row_6(request, "no bundles found", "")


def ambiguous(request: Request, catalogs: Sequence[str]) -> str:
    """Row 6 with several offers; `catalogs` is every catalog that still makes one, in any order."""
    names = " ".join(sorted(catalogs))
    return _row_6(request, "found bundles", f"in multiple catalogs with the same priority [{names}]")


def version_unreadable(bundle: str, error: str) -> str:
    """Row 7."""
    return f"error getting resolved bundle version for bundle {quoted(bundle)}: {error}"


def _row_6(request: Request, finding: str, ending: str) -> str:
    parts = [
        f"error upgrading from currently installed version {quoted(request.installed.version)}:"
        if request.installed
        else "",
        f"{finding} for package {quoted(request.package)}",
        f"matching version {quoted(request.range_text)}" if request.range_text else "",
        f"in channels [{' '.join(request.channels)}]" if request.channels else "",
        ending,
    ]
    return " ".join(part for part in parts if part)
