"""The order in which catalogs are written. Rule: fbc.md 13."""

from __future__ import annotations

from collections.abc import Iterable

from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_DEPRECATIONS, SCHEMA_PACKAGE, Blob

__all__ = ["published_order"]

_PLACES = {SCHEMA_PACKAGE: 0, SCHEMA_CHANNEL: 1, SCHEMA_BUNDLE: 2, SCHEMA_DEPRECATIONS: 4}
_OTHERS = 3


def published_order(blobs: Iterable[Blob]) -> tuple[Blob, ...]:
    """The blobs by package; in each the package, channels and bundles by name, others by schema, deprecations.

    Blobs without a package come last. Equal ones keep their order.
    """
    return tuple(sorted(blobs, key=_key))


def _key(blob: Blob) -> tuple[bool, str, int, str]:
    owner = blob.name if blob.schema == SCHEMA_PACKAGE else blob.package
    place = _PLACES.get(blob.schema, _OTHERS)
    within = blob.schema if place == _OTHERS else blob.name if place < _OTHERS else ""
    return (not owner, owner, place, within)
