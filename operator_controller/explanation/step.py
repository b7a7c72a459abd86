"""One upgrade of an explanation: the bundle that it leads to, and the edge that it follows.

Shared by the hops that follow by themselves, the route to a wanted version and the best successors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from olmv1.fbc import Bundle
from olmv1.versions import VersionRelease
from operator_controller.explanation.reading import version_of
from operator_controller.resolver import (
    Candidate,
    CatalogContent,
    CatalogProblem,
    Chosen,
    Edge,
    EdgeKind,
    InstalledBundle,
    PackageIndex,
    Request,
)

__all__ = ["EdgeView", "Step", "edge_view", "edges_to", "pin_of", "recorded", "shown_edge", "step_of_choice", "step_to"]


@dataclass(frozen=True, slots=True)
class EdgeView:
    """An upgrade edge: its kind and channel, and the text of a skipRange (else empty)."""

    kind: EdgeKind
    channel: str
    skip_range: str = ""

    def __str__(self) -> str:
        text = f' "{self.skip_range}"' if self.skip_range else ""
        return f"{self.kind}{text} in {self.channel}"


@dataclass(frozen=True, slots=True)
class Step:
    """A bundle to go to. `pin` is the `version` that asks for exactly it.

    `edge` is `None` for a first install, and for a step that only `SelfCertified` allows.
    """

    bundle: str
    version: str
    release: str | None
    catalog: str
    image: str
    edge: EdgeView | None
    pin: str
    is_deprecated: bool = False
    is_major: bool = False


def step_to(candidate: Candidate, catalog: str, edge: Edge | None, origin: VersionRelease | None) -> Step:
    """The step to a candidate with a readable version; `origin` is the version that it starts from."""
    version = candidate.version
    if version is None:
        raise ValueError(f"bundle {candidate.name} has no readable version")
    return _step(candidate.bundle, version, _Place(catalog, edge, origin), is_deprecated=candidate.is_deprecated)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a step leads from and along."""

    catalog: str
    edge: Edge | None
    origin: VersionRelease | None


def _step(bundle: Bundle, version: VersionRelease, place: _Place, *, is_deprecated: bool) -> Step:
    return Step(
        bundle=bundle.name,
        version=str(version.version),
        release=None if version.release is None else str(version.release),
        catalog=place.catalog,
        image=bundle.image,
        edge=None if place.edge is None else edge_view(place.edge),
        pin=pin_of(version),
        is_deprecated=is_deprecated,
        is_major=place.origin is not None and version.version.major > place.origin.version.major,
    )


def step_of_choice(request: Request, chosen: Chosen, catalogs: Iterable[CatalogContent | CatalogProblem]) -> Step:
    """The step that a choice of the resolver is."""
    origin = version_of(request.installed)
    for each in catalogs:
        if isinstance(each, CatalogContent) and each.name == chosen.catalog and each.package is not None:
            edges = edges_to(each.package, request, origin).get(chosen.bundle.name, ())
            is_deprecated = chosen.bundle.name in chosen.deprecations.bundles
            place = _Place(chosen.catalog, shown_edge(edges, each.package), origin)
            return _step(chosen.bundle, chosen.version, place, is_deprecated=is_deprecated)
    raise ValueError(f"catalog {chosen.catalog} is not among those that were asked")


def shown_edge(edges: Sequence[Edge], index: PackageIndex) -> Edge | None:
    """One of several edges that lead to the same bundle: in the default channel if there is one; `None` without any."""
    return min(edges, key=lambda edge: edge.channel != index.default_channel, default=None)


def edges_to(index: PackageIndex, request: Request, origin: VersionRelease | None) -> dict[str, Sequence[Edge]]:
    """Successor name → the edges to it from the installed bundle, in the requested channels."""
    version = None if origin is None else origin.version
    return dict(index.graph.edges_from(request.installed_name, version, frozenset(request.channels)))


def edge_view(edge: Edge) -> EdgeView:
    """The edge as it is shown."""
    return EdgeView(edge.kind, edge.channel, edge.text if edge.kind is EdgeKind.SKIP_RANGE else "")


def pin_of(version: VersionRelease) -> str:
    """The version range that holds this version (and release) only."""
    plain = version.version.text.partition("+")[0]
    return plain if version.release is None else f"{plain}+{version.release}"


def recorded(step: Step) -> InstalledBundle:
    """The bundle of a step as a rollout that succeeded records it."""
    return InstalledBundle(step.bundle, step.version, step.release, step.image, step.catalog)
