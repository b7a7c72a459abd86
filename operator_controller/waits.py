"""What extensions wait for that no watch of theirs would tell them: an API that is absent, the state of others.

Kept in memory only: every extension is reconciled once after a start, and says again what it waits for. Written by the
reconciler, read by the triggers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

__all__ = ["Waits"]


@dataclass(frozen=True, slots=True)
class _Wait:
    groups: frozenset[str]
    is_for_others: bool
    is_for_rights: bool


class Waits:
    """Who waits for what."""

    def __init__(self) -> None:
        self._known: dict[str, _Wait] = {}

    def note(
        self,
        extension: str,
        groups: Iterable[str] = (),
        *,
        is_for_others: bool = False,
        is_for_rights: bool = False,
    ) -> None:
        """Remember what the last pass over `extension` found: API groups whose kinds come or go for it.

        The group `*` stands for all of them. `is_for_others`: what other extensions have installed decides about it.
        `is_for_rights`: its account lacks some.
        """
        wait = _Wait(frozenset(groups), is_for_others, is_for_rights)
        if wait.groups or wait.is_for_others or wait.is_for_rights:
            self._known[extension] = wait
        else:
            self._known.pop(extension, None)

    def forget(self, extension: str) -> None:
        """The extension is gone."""
        self._known.pop(extension, None)

    def for_group(self, group: str) -> Collection[str]:
        """The extensions for which a kind of the API group matters."""
        return tuple(name for name, wait in self._known.items() if not wait.groups.isdisjoint((group, "*")))

    def for_rights(self) -> Collection[str]:
        """The extensions that another role, or binding, may help."""
        return tuple(name for name, wait in self._known.items() if wait.is_for_rights)

    def for_others(self) -> Collection[str]:
        """The extensions for which it matters what others have installed."""
        return tuple(name for name, wait in self._known.items() if wait.is_for_others)
