"""What is kept of every blob until all are read: names and edges, none of the large values."""

from __future__ import annotations

from dataclasses import dataclass, field

from olmv1.fbc.model import Deprecation, Entry
from olmv1.fbc.validation.finding import Place, Subject

__all__ = ["BundleFacts", "CatalogFacts", "ChannelFacts", "DeprecationsFacts", "PackageFacts", "Spot", "folder_of"]


@dataclass(frozen=True, slots=True)
class Spot:
    """One blob: its number in load order, where it is written and what it is."""

    number: int
    place: Place
    subject: Subject


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """One `olm.package` blob."""

    name: str
    default_channel: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """One `olm.channel` blob."""

    name: str
    package: str
    entries: tuple[Entry, ...]
    spot: Spot


@dataclass(frozen=True, slots=True)
class BundleFacts:
    """One `olm.bundle` blob; `version` and `release` are `None` when there is none that can be read."""

    name: str
    package: str
    version: str | None
    release: str | None
    has_image: bool
    spot: Spot


@dataclass(frozen=True, slots=True)
class DeprecationsFacts:
    """One `olm.deprecations` blob."""

    package: str
    entries: tuple[Deprecation, ...]
    spot: Spot


@dataclass(slots=True)
class CatalogFacts:
    """All of a catalog, in load order.

    `unread`: packages of which something could not be read, so that nothing can be said to be missing in them;
    `unread_folders`: folders with a file that could not be read to its end.
    """

    packages: list[PackageFacts] = field(default_factory=list)
    channels: list[ChannelFacts] = field(default_factory=list)
    bundles: list[BundleFacts] = field(default_factory=list)
    deprecations: list[DeprecationsFacts] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    unread_folders: set[str] = field(default_factory=set)

    def is_whole(self, package: str, spots: list[Spot]) -> bool:
        """Whether everything about `package`, whose blobs are at `spots`, could be read as far as is known."""
        if package in self.unread:
            return False
        if not self.unread_folders:
            return True
        return all(folder_of(spot.place.path) not in self.unread_folders for spot in spots)


def folder_of(path: str) -> str:
    """The folder of a file, empty at the root."""
    return path.rpartition("/")[0]
