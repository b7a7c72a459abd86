"""Which phases of which revisions have passed their dry-run.

Before the first write of a phase, everything that would be written is sent as a dry-run. What passed is remembered, so
that a phase that waits for one object to be admitted asks for that one only. Memory is enough: after a restart a phase
that has an object of the revision is known to have passed. Rule: revisions.md 5.2 and 9 row 1.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from olmv1.manifests import ObjectKey

__all__ = ["Previews"]


@dataclass(slots=True)
class _Seen:
    begun: set[int] = field(default_factory=set)
    passed: set[tuple[ObjectKey, str]] = field(default_factory=set)


class Previews:
    """What passed, by UID of the revision; phases are named by their index."""

    def __init__(self) -> None:
        self._seen: defaultdict[str, _Seen] = defaultdict(_Seen)

    def has_begun(self, owner_uid: str, phase: int) -> bool:
        """Whether the phase may be written."""
        return owner_uid in self._seen and phase in self._seen[owner_uid].begun

    def begin(self, owner_uid: str, phase: int) -> None:
        """Everything in the phase has passed, or it was begun by an earlier process."""
        seen = self._seen[owner_uid]
        seen.begun.add(phase)
        seen.passed.clear()

    def has_passed(self, owner_uid: str, key: ObjectKey, digest: str) -> bool:
        """Whether the object passed with this content, in a phase that has not begun."""
        return owner_uid in self._seen and (key, digest) in self._seen[owner_uid].passed

    def passed(self, owner_uid: str, key: ObjectKey, digest: str) -> None:
        """The API server would take the object with this content."""
        self._seen[owner_uid].passed.add((key, digest))

    def forget(self, owner_uid: str) -> None:
        """The revision is gone, or rolled out."""
        self._seen.pop(owner_uid, None)
