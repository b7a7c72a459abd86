"""A request's texts read once more, for those parts of an explanation that a failed resolution does not tell."""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.versions import Range, VersionRelease
from operator_controller.resolver import CatalogContent, CatalogProblem, InstalledBundle, PackageIndex

__all__ = ["Catalogs", "channels_of", "indexes_of", "range_of", "version_of", "with_package"]

Catalogs = tuple[CatalogContent | CatalogProblem, ...]
"""Catalogs by falling priority and then by name."""


def version_of(installed: InstalledBundle | None) -> VersionRelease | None:
    """The installed version; `None` when nothing is installed or it cannot be read."""
    if installed is None:
        return None
    try:
        return VersionRelease.parse(installed.version, installed.release)
    except ValueError:
        return None


def range_of(text: str | None) -> Range | None:
    """The version range; `None` when none is given or it cannot be read."""
    try:
        return Range.parse(text) if text else None
    except ValueError:
        return None


def with_package(
    catalogs: Iterable[CatalogContent | CatalogProblem],
) -> tuple[tuple[CatalogContent, PackageIndex], ...]:
    """The catalogs that have the package, with its index."""
    return tuple((each, each.package) for each in catalogs if isinstance(each, CatalogContent) and each.package)


def indexes_of(catalogs: Iterable[CatalogContent | CatalogProblem]) -> tuple[PackageIndex, ...]:
    """The package in every catalog that has it."""
    return tuple(index for _, index in with_package(catalogs))


def channels_of(catalogs: Iterable[CatalogContent | CatalogProblem]) -> frozenset[str]:
    """The channels that the package has in any catalog."""
    return frozenset[str]().union(*(index.graph.channels for index in indexes_of(catalogs)))
