"""The objects in documents of files, whatever lists they are in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from olmv1.manifests import Manifest

__all__ = ["objects_of"]


def objects_of(documents: Iterable[object]) -> Iterator[Manifest]:
    """Every mapping among `documents`, those in lists and in `items` at any depth included; other values go."""
    for document in documents:
        if isinstance(document, list):
            yield from objects_of(document)
        elif isinstance(document, Mapping):
            items = document.get("items")
            if isinstance(items, list):
                yield from objects_of(items)
            else:
                yield document
