"""What the server needs from the rest of the process."""

from __future__ import annotations

from enum import Enum, auto
from typing import Protocol

from catalogd.store import Snapshot

__all__ = ["Catalogs", "Contents", "Presence"]


class Presence(Enum):
    """What is known about a ClusterCatalog on the cluster."""

    UNKNOWN = auto()
    """The catalogs of the cluster have not been read yet: only the volume can tell."""
    ABSENT = auto()
    UNAVAILABLE = auto()
    """`spec.availabilityMode` is `Unavailable`, or the catalog is being deleted."""
    AVAILABLE = auto()


class Contents(Protocol):
    """Where content is read from."""

    def snapshot(self, name: str) -> Snapshot | None:
        """The content of a catalog on this replica."""


class Catalogs(Protocol):
    """The catalogs of the cluster, from memory."""

    def presence(self, name: str) -> Presence:
        """Whether a catalog exists and is to be served."""
