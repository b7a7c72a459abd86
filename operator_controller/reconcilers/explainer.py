"""The explanation that goes with a resolution, as one Event when it changes. Rule: resolution.md 15 and 16.16.

Explaining takes a hundred times longer than resolving; the same question about the same catalogs is explained once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from olmv1.telemetry.logs import get_logger
from operator_controller.explanation import LeftOut, Surroundings, explain, headline
from operator_controller.resolver import CatalogContent, CatalogProblem, Chosen, Request, Unresolved

__all__ = ["Explainer"]

log = get_logger(__name__)

_Key = tuple[object, ...]


class Explainer:
    """Explains refusals and steps; staying on what is installed explains itself."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Key, str]] = {}

    async def headline(
        self,
        extension: str,
        request: Request,
        answer: Chosen | Unresolved,
        catalogs: Sequence[CatalogContent | CatalogProblem],
        absent: tuple[LeftOut, ...],
    ) -> str:
        """One or two sentences; empty when there is nothing to explain. `absent` are the catalogs that do not count."""
        if isinstance(answer, Chosen) and answer.is_installed:
            self.forget(extension)
            return ""
        key: _Key = (request, absent, *(_identity(each) for each in catalogs))
        known = self._known.get(extension)
        if known is None or known[0] != key:
            surroundings = Surroundings(left_out=absent)
            text = await asyncio.to_thread(_text, lambda: headline(explain(request, catalogs, answer, surroundings)))
            self._known[extension] = known = (key, text)
        return known[1]

    def forget(self, extension: str) -> None:
        """The extension is gone, or at rest."""
        self._known.pop(extension, None)


def _text(explained: Callable[[], str]) -> str:
    """Nothing when there is a bug in the explanation: it must not hold up what it would explain."""
    try:
        return explained()
    except Exception as problem:
        log.error("a resolution cannot be explained", exc_info=problem)
        return ""


def _identity(catalog: CatalogContent | CatalogProblem) -> Iterable[object]:
    if isinstance(catalog, CatalogProblem):
        return (catalog.name, catalog.priority, catalog.message)
    return (catalog.name, catalog.priority, catalog.package)
