"""Where the installed bundle could go in one step: read from the trace of a resolution, whatever the answer was.

What the user decides is left out of account: the version range, a held major version, an approval. What the catalogs
and the cluster decide is not: channels, upgrade edges, the version of Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from olmv1.versions import VersionRelease
from operator_controller.resolver.answer import Chosen, Unresolved
from operator_controller.resolver.filters import CHANNEL, KUBERNETES, SUCCESSOR
from operator_controller.resolver.package_index import Candidate
from operator_controller.resolver.question import View
from operator_controller.resolver.trace import CatalogState, CatalogTrace

__all__ = ["Upgrade", "Upgrades", "upgrades_of"]

_RULES = (SUCCESSOR, CHANNEL, KUBERNETES)
_MOST = 10
"""Of one catalog: whoever reads a longer list wants to see the catalog itself."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A bundle that could replace the installed one, and the catalog of highest priority that offers it."""

    bundle: str
    version: VersionRelease
    catalog: str


@dataclass(frozen=True, slots=True)
class Upgrades:
    """The upgrades, newest first, at most ten of each catalog. Of the catalogs in `unusable` nothing is known."""

    offered: tuple[Upgrade, ...] = ()
    unusable: frozenset[str] = frozenset()


def upgrades_of(answer: Chosen | Unresolved) -> Upgrades | None:
    """What the catalogs of a resolution offer to the installed bundle; nothing when none is installed.

    `None`: the request could not be read, so no catalog was asked. A bundle that every channel skips is not offered.
    """
    question, catalogs = answer.trace.question, answer.trace.catalogs
    if question is None:
        return None
    installed = question.installed_version
    if installed is None:
        return Upgrades()
    found: dict[str, Upgrade] = {}
    for catalog in catalogs:
        for candidate, version in islice(_newer(catalog, installed), _MOST):
            found.setdefault(candidate.name, Upgrade(candidate.name, version, catalog.name))
    by_name = sorted(found.values(), key=lambda each: each.bundle)
    newest_first = sorted(by_name, key=lambda each: each.version.key, reverse=True)
    unusable = frozenset(each.name for each in catalogs if each.state is CatalogState.UNUSABLE)
    return Upgrades(tuple(newest_first), unusable)


def _newer(catalog: CatalogTrace, installed: VersionRelease) -> Iterator[tuple[Candidate, VersionRelease]]:
    if not catalog.filters:  # with something installed a catalog that has the package is always filtered
        return
    view: View = catalog.filters[0].view
    rules = [keeps for rule in _RULES if (keeps := rule.keeps(view)) is not None]
    # The index has the highest versions first, and those that cannot be read behind all others.
    for candidate in takewhile(lambda each: _is_above(each, installed), view.index.candidates):
        is_offered = not view.is_skipped(candidate) and all(keeps(candidate) for keeps in rules)
        if is_offered and candidate.version is not None:
            yield candidate, candidate.version


def _is_above(candidate: Candidate, installed: VersionRelease) -> bool:
    return candidate.version is not None and candidate.version.key > installed.key
