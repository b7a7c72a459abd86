"""What every catalog can be asked, and one that cannot answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from olmv1.errors import OlmError, RetryableError
from olmv1.fbc import Package

__all__ = ["Catalog", "UnusableCatalog"]


class Catalog(Protocol):
    """One catalog."""

    @property
    def name(self) -> str:
        """What it is called in answers."""
        ...

    @property
    def priority(self) -> int:
        """Its `spec.priority`; 0 for one that is not the cluster's."""
        ...

    async def packages(self, *, with_bundles: bool = False) -> tuple[Package, ...]:
        """Every package by name; their bundles may be left out where they are not asked for.

        Raises:
            OlmError: it cannot be read.
        """
        ...

    async def package(self, name: str) -> Package | None:
        """One package whole; `None` when the catalog does not have it.

        Raises:
            OlmError: it cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class UnusableCatalog:
    """A catalog of which only the reason is known why it cannot be read."""

    name: str
    priority: int
    reason: str

    async def packages(self, *, with_bundles: bool = False) -> tuple[Package, ...]:  # noqa: ARG002 - the Protocol's
        """Nothing: raises `RetryableError`."""
        raise self._error()

    async def package(self, name: str) -> Package | None:  # noqa: ARG002 - the Protocol's
        """Nothing: raises `RetryableError`."""
        raise self._error()

    def _error(self) -> OlmError:
        return RetryableError(self.reason)
