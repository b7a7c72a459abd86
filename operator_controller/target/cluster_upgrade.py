"""Which bundles of an extension say something about upgrades of the cluster. Rule: upgradeable.md 6.2."""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.api.names import ANNOTATION_PROPERTIES
from operator_controller.revisions.view import RevisionView, active, installed
from operator_controller.upgradeability import BundleFacts

__all__ = ["bundle_facts"]


def bundle_facts(revisions: Iterable[RevisionView]) -> tuple[BundleFacts, ...]:
    """The installed bundle, and those that are rolling out over it, with the properties that they recorded."""
    known = tuple(revisions)
    base = installed(known)
    counted = [item for item in active(known) if base is None or item.number >= base.number]
    return tuple(
        BundleFacts(
            item.bundle.name,
            item.annotations.get(ANNOTATION_PROPERTIES),
            package=item.bundle.package,
            version=item.bundle.version,
        )
        for item in counted
    )
