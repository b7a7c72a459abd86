"""Blobs → one package: `package_of`, as the controller needs it for a resolution.

Called with the lines that catalogd serves, or with the blobs of a catalog on disk. Checks the types of the fields it
reads and nothing else: names, versions and the channel graph are validated elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from olmv1.fbc import wire
from olmv1.fbc.errors import FbcError, place_of
from olmv1.fbc.model import (
    SCHEMA_BUNDLE,
    SCHEMA_CHANNEL,
    SCHEMA_DEPRECATIONS,
    SCHEMA_PACKAGE,
    Blob,
    Bundle,
    Channel,
    Deprecation,
    Package,
)

__all__ = ["package_of", "package_of_blobs"]


def package_of(name: str, lines: Iterable[bytes]) -> Package | None:
    """The package `name` out of JSON lines (blobs in normal form); `None` when no line belongs to it.

    Lines of other packages are passed over. Of several `olm.package` blobs the first counts. Property values stay views
    on the lines, so a package keeps its lines in memory.
    Raises: FbcError naming the blob, the field, and what was expected and found.
    """
    return _gathered(name, ((line, "") for line in lines))


def package_of_blobs(name: str, blobs: Iterable[Blob]) -> Package | None:
    """As `package_of`; errors also name the file and the document that the blob was written in."""
    return _gathered(name, ((blob.json, place_of(blob.path, blob.document)) for blob in blobs))


def _gathered(name: str, lines: Iterable[tuple[bytes, str]]) -> Package | None:
    parts = _Parts()
    for line, place in lines:
        if not line.strip():
            continue
        try:
            head = wire.HEAD.read(line)
            if head.owner == name:
                parts.add(head, line)
        except FbcError as error:
            raise FbcError(f"{place}: {error}" if place else str(error)) from error
    return parts.package(name)


@dataclass(slots=True)
class _Parts:
    """What was found so far of one package."""

    blob: wire.PackageBlob | None = None
    channels: list[Channel] = field(default_factory=list)
    bundles: list[Bundle] = field(default_factory=list)
    deprecations: list[Deprecation] = field(default_factory=list)
    others: set[str] = field(default_factory=set)

    def add(self, head: wire.Head, line: bytes) -> None:
        """Read one blob into its place."""
        try:
            self._add(head.schema, line)
        except FbcError as error:
            called = f'{head.schema or "blob"} "{head.name}"' if head.name else head.schema or "blob"
            raise FbcError(f"{called}: {error}") from error

    def _add(self, schema: str, line: bytes) -> None:
        if not schema:
            raise FbcError("missing root schema field")
        if schema == SCHEMA_PACKAGE:
            read = wire.PACKAGE.read(line)
            self.blob = self.blob or read
        elif schema == SCHEMA_CHANNEL:
            self.channels.append(wire.CHANNEL.read(line))
        elif schema == SCHEMA_BUNDLE:
            self.bundles.append(wire.BUNDLE.read(line))
        elif schema == SCHEMA_DEPRECATIONS:
            self.deprecations += wire.DEPRECATIONS.read(line).flat()
        else:
            self.others.add(schema)

    def package(self, name: str) -> Package | None:
        """The package, or `None` when nothing was added."""
        if not (self.blob or self.channels or self.bundles or self.deprecations or self.others):
            return None
        blob = self.blob or wire.PackageBlob(name)
        return Package(
            name=name,
            default_channel=blob.default_channel,
            channels=tuple(self.channels),
            bundles=tuple(self.bundles),
            deprecations=tuple(self.deprecations),
            other_schemas=tuple(sorted(self.others)),
            description=blob.description,
        )
