"""What the person asked for: annotations of the extension, which the controller hands on to its revisions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from olmv1.api.names import EXTRAS_PREFIX
from olmv1.errors import TerminalError
from olmv1.manifests import ObjectKey

__all__ = ["ANNOTATION_CONFIRM_DELETE_CRDS", "ANNOTATION_ON_DELETE", "OnDelete", "asked_of"]

ANNOTATION_ON_DELETE = f"{EXTRAS_PREFIX}on-delete"
"""On a ClusterExtension: an `OnDelete`. On a ClusterObjectSet: what was decided, before it is deleted."""

ANNOTATION_CONFIRM_DELETE_CRDS = f"{EXTRAS_PREFIX}confirm-delete-crds"
"""`"true"`: the CRDs go, and every object of their kinds with them."""

_MAX_SHOWN = 100


class OnDelete(StrEnum):
    """What becomes of the objects of an extension that is deleted."""

    CASCADE = "Cascade"
    """Everything goes."""

    KEEP_CRDS = "KeepCRDs"
    """Everything goes but the CRDs, and with them the objects of their kinds that the extension did not bring."""

    ORPHAN = "Orphan"
    """Everything stays, and is nobody's."""

    def keeps(self, key: ObjectKey) -> bool:
        """Whether an object of the extension stays."""
        is_definition = (key.group, key.kind) == ("apiextensions.k8s.io", "CustomResourceDefinition")
        return self is OnDelete.ORPHAN or (self is OnDelete.KEEP_CRDS and is_definition)


def asked_of(annotations: Mapping[str, str]) -> OnDelete | None:
    """What the annotations ask for; `None` when they leave it open, so that nothing may be lost.

    The confirmation alone means that everything goes; beside a choice it has no effect.

    Raises:
        TerminalError: the choice is none that exists. Nothing is done then: what was meant may be to keep.
    """
    choice = annotations.get(ANNOTATION_ON_DELETE)
    if choice is None:
        return OnDelete.CASCADE if annotations.get(ANNOTATION_CONFIRM_DELETE_CRDS) == "true" else None
    if choice not in set(OnDelete):
        expected = ", ".join(OnDelete)
        raise TerminalError(
            f'annotation "{ANNOTATION_ON_DELETE}": expected one of {expected}, found "{choice[:_MAX_SHOWN]}"'
        )
    return OnDelete(choice)
