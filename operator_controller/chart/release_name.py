"""The release name that a chart sees. Rule: helm-charts.md, "release name"."""

from __future__ import annotations

import hashlib

__all__ = ["LIMIT", "release_name_of"]

LIMIT = 53
"""Characters of a release name; charts append to it and must stay below 63."""

_HASH_DIGITS = 8


def release_name_of(extension: str) -> str:
    """The extension's name, or, where that is longer than `LIMIT` or has dots, its beginning and a hash of all of it.

    Charts name Services after it, which may have no dots. The result depends on the name alone: `shop.till` →
    `shop-till-c274aca9`.
    """
    if len(extension) <= LIMIT and "." not in extension:
        return extension
    digest = hashlib.sha256(extension.encode()).hexdigest()[:_HASH_DIGITS]
    beginning = extension.replace(".", "-")[: LIMIT - _HASH_DIGITS - 1].rstrip("-")
    return f"{beginning}-{digest}"
