"""Catalogs cut down to the bundles that one upgrade can lead to, for explanations that resolve hundreds of times.

The answers are those of the whole catalogs: everything else is what the resolver drops for want of an upgrade edge.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from operator_controller.explanation.reading import Catalogs, version_of, with_package
from operator_controller.resolver import CatalogContent, CatalogProblem, PackageIndex, Request

__all__ = ["Neighbourhood"]


class Neighbourhood:
    """Some catalogs, prepared to be cut down again and again."""

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs
        self._places = {catalog.name: _places(index) for catalog, index in with_package(catalogs)}

    def around(self, request: Request) -> Catalogs:
        """The catalogs with the installed bundle and its successors only; whole when no edge is needed."""
        if request.installed is None or request.is_self_certified:
            return self._catalogs
        return tuple(self._cut(each, request) for each in self._catalogs)

    def _cut(self, catalog: CatalogContent | CatalogProblem, request: Request) -> CatalogContent | CatalogProblem:
        if isinstance(catalog, CatalogProblem) or catalog.package is None:
            return catalog
        version = version_of(request.installed)
        edges = catalog.package.graph.edges_from(
            request.installed_name, version.version if version else None, frozenset(request.channels)
        )
        places = self._places[catalog.name]
        near = sorted(place for name in {request.installed_name, *edges} for place in places.get(name, ()))
        candidates = tuple(catalog.package.candidates[place] for place in near)
        return replace(catalog, package=replace(catalog.package, candidates=candidates))


def _places(index: PackageIndex) -> dict[str, list[int]]:
    """Bundle name → where it stands in the order of candidates."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, candidate in enumerate(index.candidates):
        found[candidate.name].append(place)
    return found
