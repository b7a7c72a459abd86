"""Parts of manifests that may be anything: what is not as it should be counts as nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["mapping_at", "mappings_at"]


def mapping_at(value: object, *keys: str) -> Mapping[str, Any]:
    """What is at the end of `keys`; empty where it is no mapping, or there is nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def mappings_at(value: object, key: str) -> Iterator[Mapping[str, Any]]:
    """The mappings in the list at `key`."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return (each for each in found if isinstance(each, Mapping)) if isinstance(found, list | tuple) else iter(())
