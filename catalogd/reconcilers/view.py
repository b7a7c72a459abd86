"""Reading a ClusterCatalog: what is wanted of it, which metadata it lacks, whether it is to be served. Pure."""

from __future__ import annotations

from typing import Any

from catalogd.polling import Wanted
from olmv1.api.cluster_catalog import ClusterCatalog
from olmv1.api.names import EXTRAS_PREFIX, FINALIZER_SERVER_CACHE, LABEL_METADATA_NAME
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import condition_of, is_true
from olmv1.manifests import Manifest, is_deleting, labels_of, name_of

__all__ = [
    "ANNOTATION_POLL_NOW",
    "expected_digest",
    "has_finalizer",
    "is_offered",
    "metadata_patch",
    "resolved_ref",
    "wanted_of",
]

ANNOTATION_POLL_NOW = f"{EXTRAS_PREFIX}poll-now"
"""Each new value makes catalogd look at the registry at once. Rule: clustercatalog.md 13.8."""


def wanted_of(catalog: Manifest) -> Wanted:
    """What the spec asks to fetch, and when.

    Raises:
        TerminalError: the object is not a ClusterCatalog as the CRD has it.
    """
    view = ClusterCatalog.parse(catalog)
    image = view.spec.source.image
    minutes = image.poll_interval_minutes
    interval_s = None if minutes is None or "@" in image.ref else minutes * 60.0
    return Wanted(image.ref, view.generation, interval_s, view.annotations.get(ANNOTATION_POLL_NOW, ""))


def is_offered(catalog: Manifest) -> bool:
    """Whether content of the catalog is to be served: it is available and stays."""
    mode = (catalog.get("spec") or {}).get("availabilityMode") or "Available"
    return mode == "Available" and not is_deleting(catalog)


def resolved_ref(catalog: Manifest) -> str:
    """`status.resolvedSource.image.ref`, or empty."""
    source = (catalog.get("status") or {}).get("resolvedSource") or {}
    return str((source.get("image") or {}).get("ref") or "")


def expected_digest(catalog: Manifest) -> str:
    """The digest of the content that every replica should hold; empty: none.

    What the leader serves, or has just begun to fetch again. Once it says why it serves nothing, nobody waits: one
    catalog that cannot be had must not keep the others from being served.
    """
    progressing = condition_of(catalog, ConditionType.PROGRESSING) or {}
    is_expected = is_true(catalog, ConditionType.SERVING) or progressing.get("reason") == Reason.SUCCEEDED
    return resolved_ref(catalog).rpartition("@")[2] if is_expected and is_offered(catalog) else ""


def has_finalizer(catalog: Manifest) -> bool:
    """Whether deletion waits for us."""
    return FINALIZER_SERVER_CACHE in _finalizers(catalog)


def metadata_patch(catalog: Manifest, *, is_held: bool) -> dict[str, Any] | None:
    """The merge patch that sets the name label and, as `is_held` says, adds or drops our finalizer; `None`: all is so.

    It names the resource version, since a list of finalizers replaces whatever somebody else added meanwhile.
    """
    metadata: dict[str, Any] = {}
    if labels_of(catalog).get(LABEL_METADATA_NAME) != name_of(catalog) and not is_deleting(catalog):
        metadata["labels"] = {LABEL_METADATA_NAME: name_of(catalog)}
    others = [finalizer for finalizer in _finalizers(catalog) if finalizer != FINALIZER_SERVER_CACHE]
    if has_finalizer(catalog) != is_held:
        metadata["finalizers"] = [*others, FINALIZER_SERVER_CACHE] if is_held else others
    if not metadata:
        return None
    return {"metadata": {**metadata, "resourceVersion": catalog["metadata"]["resourceVersion"]}}


def _finalizers(catalog: Manifest) -> list[str]:
    return list((catalog.get("metadata") or {}).get("finalizers") or ())
