"""Which files of a catalog are read, and in which order. Pure: names in, verdicts out."""

from __future__ import annotations

__all__ = ["is_catalog_file", "walk_order"]

_SUFFIXES = (".yaml", ".yml", ".json")


def is_catalog_file(path: str) -> bool:
    """Whether a file is read at all: `*.yaml`, `*.yml`, `*.json` in any letter case, hidden ones too.

    Everything else is passed over, so that a README does not break a catalog. Rule: clustercatalog.md 13 row 14.
    """
    return path.lower().endswith(_SUFFIXES)


def walk_order(path: str) -> tuple[bytes, ...]:
    """The sort key of a file: depth first, each directory in the order of its bytes. Rule: fbc.md 3."""
    return tuple(part.encode(errors="surrogateescape") for part in path.split("/"))
