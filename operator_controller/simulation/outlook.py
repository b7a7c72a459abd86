"""What becomes of one extension, as a value: a word for it, and everything that a person wants to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from operator_controller.explanation import Step
from operator_controller.resolver import Chosen, Request, Unresolved

__all__ = ["CatalogMove", "Outlook", "Verdict"]


class Verdict(StrEnum):
    """What becomes of an extension, in a word.

    Stranded: it is installed, had an answer before and has none any more. Blocked: it has no answer and had none, or is
    not installed yet. Unknown: a catalog on which the answer depends cannot be read. Unconcerned: neither catalog has
    its package, or it selects neither.
    """

    UNCHANGED = "Unchanged"
    UNCONCERNED = "Unconcerned"
    INSTALL = "Install"
    UPGRADE = "Upgrade"
    CHANGE = "Change"
    STRANDED = "Stranded"
    BLOCKED = "Blocked"
    UNKNOWN = "Unknown"

    @property
    def is_bad(self) -> bool:
        """Whether somebody has to act before the catalog is replaced."""
        return self in (Verdict.STRANDED, Verdict.BLOCKED)


@dataclass(frozen=True, slots=True)
class CatalogMove:
    """The catalog that an extension gets its bundle from is another one."""

    origin: str
    destination: str


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What becomes of one extension.

    `hops`: the upgrades that follow by themselves after the replacement. `reason`: a sentence without its full stop,
    why there is no answer or none is needed; else empty. `deprecations`: messages that hold now and did not before.
    """

    name: str
    request: Request
    verdict: Verdict
    before: Chosen | Unresolved
    after: Chosen | Unresolved
    hops: tuple[Step, ...] = ()
    reason: str = ""
    deprecations: tuple[str, ...] = ()
    catalog_move: CatalogMove | None = None

    def to_json(self) -> Mapping[str, object]:
        """The same as plain values."""
        installed, move = self.request.installed, self.catalog_move
        return {
            "name": self.name,
            "package": self.request.package,
            "verdict": self.verdict.value,
            "installed": None
            if installed is None
            else {"bundle": installed.name, "version": installed.version, "release": installed.release},
            "before": _plain(self.before),
            "after": _plain(self.after),
            "hops": [{"bundle": step.bundle, "version": step.pin, "catalog": step.catalog} for step in self.hops],
            "reason": self.reason,
            "deprecations": list(self.deprecations),
            "catalogMove": None if move is None else {"from": move.origin, "to": move.destination},
            "notes": [note.message for note in self.after.notes],
        }


def _plain(answer: Chosen | Unresolved) -> Mapping[str, object]:
    if isinstance(answer, Unresolved):
        return {"message": answer.message}
    release = answer.version.release
    return {
        "bundle": answer.bundle.name,
        "version": str(answer.version.version),
        "release": None if release is None else str(release),
        "catalog": answer.catalog,
        "isInstalled": answer.is_installed,
    }
