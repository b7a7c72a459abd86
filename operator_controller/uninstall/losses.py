"""What a deletion would destroy: objects go with the definition of their kind. Rule: applying.md 10 row 12."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from olmv1.manifests import Manifest, is_deleting
from operator_controller.revisions.ownership import controller_of, is_kept
from operator_controller.uninstall.asked import ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE, OnDelete

__all__ = ["Loss", "held_text", "is_brought", "is_doomed", "recount_s"]

_SOONEST_S, _LATEST_S = 5.0, 60.0
_PAUSE_PER_WORK = 50
_NAMES_SHOWN = 5
_KINDS_SHOWN = 20
_WAY_OUT = (
    "the deletion waits: annotate the ClusterExtension with "
    f'{ANNOTATION_CONFIRM_DELETE_CRDS}: "true" to lose them, or with '
    f"{ANNOTATION_ON_DELETE}: {OnDelete.KEEP_CRDS} to keep them and their CRDs ({OnDelete.ORPHAN}: to keep everything)"
)


@dataclass(frozen=True, slots=True)
class Loss:
    """The objects of one definition that would go with it.

    `names` are some of them, as `<namespace>/<name>`. `is_complete`: there are no more than `count`. `problem` says why
    they could not be counted.
    """

    crd: str
    kind: str
    count: int = 0
    names: tuple[str, ...] = ()
    is_complete: bool = True
    problem: str = ""

    @property
    def text(self) -> str:
        """One line; empty when nothing would be lost."""
        if self.problem:
            return f"objects of kind {self.kind} would be lost, how many is not known ({self.crd}: {self.problem})"
        if not self.count:
            return ""
        number = f"{self.count}" if self.is_complete else f"more than {self.count}"
        noun = "object" if number == "1" else "objects"
        return f"{number} {noun} of kind {self.kind} would be lost ({self.crd}: {self._listed})"

    @property
    def _listed(self) -> str:
        shown, more = ", ".join(self.names[:_NAMES_SHOWN]), self.count - _NAMES_SHOWN
        if not self.is_complete:
            return f"{shown} and more"
        return f"{shown} and {more} more" if more > 0 else shown


def held_text(losses: Iterable[Loss]) -> str:
    """Why the deletion has to wait, a line for each kind, and the way out; empty when nothing would be lost."""
    lines = [loss.text for loss in sorted(losses, key=lambda each: each.crd) if loss.text]
    if not lines:
        return ""
    shown = lines[:_KINDS_SHOWN]
    if len(lines) > _KINDS_SHOWN:
        shown.append(f"and objects of {len(lines) - _KINDS_SHOWN} more kinds")
    return "\n".join((*shown, _WAY_OUT))


def recount_s(took_s: float) -> float:
    """Seconds until losses are counted again that took so long to count: a person may take days to decide."""
    return min(_LATEST_S, max(_SOONEST_S, _PAUSE_PER_WORK * took_s))


def is_brought(obj: Manifest, owners: Collection[str]) -> bool:
    """Whether one of the revisions with these UIDs brought the object, so that nobody else misses it."""
    controller = controller_of(obj)
    return controller is not None and controller.get("uid") in owners


def is_doomed(definition: Manifest, owners: Collection[str]) -> bool:
    """Whether a definition would go with the revisions with these UIDs; one that is on its way out goes anyway."""
    return is_brought(definition, owners) and not is_kept(definition) and not is_deleting(definition)
