"""Which bundle a ClusterExtension gets, and the proof of the choice.

Owns every rule of `resolution.md`. The caller selects catalogs, builds one `PackageIndex` per package and catalog
digest and keeps it; `resolve` answers with a value in either case, never with an exception.
"""

from __future__ import annotations

from operator_controller.resolver.answer import Chosen, Note, NoteKind, Unresolved
from operator_controller.resolver.channel_graph import ChannelGraph, Edge, EdgeKind, InvalidSkipRange
from operator_controller.resolver.deprecations import DeprecationMessages, PackageDeprecations
from operator_controller.resolver.environment import Environment, kubernetes_version
from operator_controller.resolver.fallback import satisfies_wanted
from operator_controller.resolver.package_index import Candidate, PackageIndex, index_package
from operator_controller.resolver.request import (
    CatalogContent,
    CatalogProblem,
    InstalledBundle,
    Request,
    UpgradePolicy,
)
from operator_controller.resolver.resolution import resolve
from operator_controller.resolver.trace import CatalogState, CatalogTrace, FilterTrace, Removal, Trace
from operator_controller.resolver.upgrades import Upgrade, Upgrades, upgrades_of

__all__ = [
    "Candidate",
    "CatalogContent",
    "CatalogProblem",
    "CatalogState",
    "CatalogTrace",
    "ChannelGraph",
    "Chosen",
    "DeprecationMessages",
    "Edge",
    "EdgeKind",
    "Environment",
    "FilterTrace",
    "InstalledBundle",
    "InvalidSkipRange",
    "Note",
    "NoteKind",
    "PackageDeprecations",
    "PackageIndex",
    "Removal",
    "Request",
    "Trace",
    "Unresolved",
    "Upgrade",
    "UpgradePolicy",
    "Upgrades",
    "index_package",
    "kubernetes_version",
    "resolve",
    "satisfies_wanted",
    "upgrades_of",
]
