"""What an improvement takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from olmv1.manifests import Manifest
from operator_controller.renderer.options import Rendering

__all__ = ["Improved", "Improvement", "for_each"]


@dataclass(frozen=True, slots=True)
class Improved:
    """Rendered objects, and what somebody should know about them; warnings stop nothing."""

    objects: tuple[Manifest, ...]
    warnings: tuple[str, ...] = ()


class Improvement(Protocol):
    """One row of the list: new objects from objects, an unchanged one stays the same value.

    Raises: BundleError where the bundle contradicts itself.
    """

    __name__: str

    def __call__(self, objects: tuple[Manifest, ...], rendering: Rendering, /) -> Improved:
        """The objects after this improvement."""


def for_each(objects: tuple[Manifest, ...], change: Callable[[Manifest], Manifest]) -> Improved:
    """Every object after `change`, without warnings."""
    return Improved(tuple(change(each) for each in objects))
