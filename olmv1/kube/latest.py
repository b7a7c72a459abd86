"""The newest that is known of cluster-scoped objects: what the watch shows, or the answer to our own last write.

A watch is behind the API server. A reconcile that runs before its own last write comes back through the watch would
compare with what was there before, find nothing to change, and never be told: own writes of a status wake nobody.
"""

from __future__ import annotations

from olmv1.manifests import Manifest, name_of, uid_of

__all__ = ["Latest"]


class Latest:
    """Remembers the answers to our writes of one kind, each until it is asked for when the watch has caught up."""

    def __init__(self) -> None:
        self._written: dict[str, Manifest] = {}

    def note(self, written: Manifest) -> None:
        """Remember what the API server answered to a write, but for who manages which field."""
        metadata = {key: value for key, value in (written.get("metadata") or {}).items() if key != "managedFields"}
        self._written[name_of(written)] = {**written, "metadata": metadata}

    def of(self, seen: Manifest) -> Manifest:
        """`seen`, which is what the watch shows, or our own write where that is newer and of the same object."""
        written = self._written.get(name_of(seen))
        if written is None:
            return seen
        if uid_of(written) == uid_of(seen) and _version(written) > _version(seen):
            return written
        del self._written[name_of(seen)]
        return seen

    def forget(self, name: str) -> None:
        """Drop what is remembered of an object that is gone."""
        self._written.pop(name, None)


def _version(obj: Manifest) -> int:
    """The resource version as a number; the API server promises comparable numbers for every kind since 1.35."""
    text = str(obj["metadata"].get("resourceVersion") or "")
    return int(text) if text.isdecimal() else 0
