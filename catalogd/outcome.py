"""What one reconcile of a ClusterCatalog learned. Pure values: the reconciler fills them, `status` reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from olmv1.errors import OlmError

__all__ = ["Outcome", "Served", "Withdrawn"]


@dataclass(frozen=True, slots=True)
class Served:
    """Content that answers requests now: `ref` is `<repository>@<digest>`, `unpacked_at` in UTC."""

    ref: str
    base_url: str
    unpacked_at: datetime


class Withdrawn(Enum):
    """Why the content of a catalog was removed on purpose."""

    BY_USER = auto()
    """`spec.availabilityMode` is `Unavailable`."""
    BY_DELETION = auto()
    """The catalog is being deleted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that status, Events and the queue need to know about one reconcile.

    `served`: what is served at its end; `withdrawn`: content was removed on purpose; `failure`: what stopped the pass,
    with the whole message; `is_pending`: the content is about to be fetched, nothing about that is known yet.
    """

    served: Served | None = None
    withdrawn: Withdrawn | None = None
    failure: OlmError | None = None
    is_pending: bool = False
