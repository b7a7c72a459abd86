"""A whole catalog in memory, as the `olm` command reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from olmv1.fbc.model import SCHEMA_PACKAGE, Blob, Package
from olmv1.fbc.package import package_of_blobs

__all__ = ["Catalog", "catalog_of"]


@dataclass(frozen=True, slots=True)
class Catalog:
    """The blobs of a catalog in walk order, and the names of the files that were passed over."""

    blobs: tuple[Blob, ...]
    passed_over: tuple[str, ...]
    _by_package: Mapping[str, tuple[Blob, ...]]

    @property
    def packages(self) -> tuple[str, ...]:
        """The names of all packages that any blob belongs to, sorted."""
        return tuple(sorted(self._by_package))

    def package(self, name: str) -> Package | None:
        """The package `name`; `None` when no blob belongs to it.

        Raises: FbcError naming file, document, blob and field.
        """
        return package_of_blobs(name, self._by_package.get(name, ()))


def catalog_of(blobs: Iterable[Blob], passed_over: Iterable[str] = ()) -> Catalog:
    """The catalog that consists of `blobs`."""
    kept = tuple(blobs)
    by_package: dict[str, list[Blob]] = {}
    for blob in kept:
        owner = blob.name if blob.schema == SCHEMA_PACKAGE else blob.package
        if owner:
            by_package.setdefault(owner, []).append(blob)
    return Catalog(kept, tuple(passed_over), {name: tuple(found) for name, found in by_package.items()})
