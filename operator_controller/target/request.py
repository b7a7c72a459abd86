"""From a ClusterExtension to a request of the resolver, and from its answer to deprecation messages."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import TerminalError
from olmv1.selectors import Selector
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    DeprecationMessages,
    InstalledBundle,
    Request,
    Unresolved,
)
from operator_controller.revisions.view import RevisionView
from operator_controller.target.extras import holds_major

__all__ = ["deprecations_of", "request_of", "selector_of"]


def selector_of(ext: ClusterExtension) -> Selector:
    """Which catalogs the extension selects.

    Raises:
        TerminalError: the selector is invalid. Rule: resolution.md 7 row 1.
    """
    selector = ext.spec.source.catalog.selector
    try:
        return Selector() if selector is None else selector.compile()
    except ValueError as error:
        raise TerminalError(f"desired catalog selector is invalid: {error}") from error


def request_of(ext: ClusterExtension, installed: RevisionView | None, kube_version: str = "") -> Request:
    """What the resolver is asked for; without the version of the cluster nothing is held back for it."""
    wanted = ext.spec.source.catalog
    return Request(
        package=wanted.package_name,
        range_text=wanted.version,
        channels=wanted.channels,
        policy=wanted.upgrade_constraint_policy,
        installed=None if installed is None else _installed(installed),
        hold_major=holds_major(ext.annotations),
        kube_version=kube_version or None,
    )


def deprecations_of(
    request: Request, answer: Chosen | Unresolved, catalogs: Sequence[CatalogContent | CatalogProblem]
) -> DeprecationMessages | None:
    """What the chosen catalog says; without a choice, the catalog of the installed bundle or of highest priority.

    `None` when no catalog with the package could be read. Rule: clusterextension.md 15 row 6.
    """
    installed = request.installed
    name = installed.name if installed is not None else None
    if isinstance(answer, Chosen):
        return answer.deprecations.about(request.channels, name)
    contents = [item for item in catalogs if isinstance(item, CatalogContent) and item.package is not None]
    remembered = installed.catalog if installed is not None else None
    ranked = sorted(contents, key=lambda item: (item.name != remembered, -item.priority, item.name))
    return next((item.package.deprecations.about(request.channels, name) for item in ranked if item.package), None)


def _installed(revision: RevisionView) -> InstalledBundle:
    bundle = revision.bundle
    return InstalledBundle(bundle.name, bundle.version, bundle.release, bundle.image, bundle.catalog)
