"""Which entries of an image are visible when its layers lie on top of each other; read newest layer first.

Pure. Newest first means that nothing ever has to be taken back: what a newer layer has, replaces or deletes hides
everything older at that place. Only names that can matter for the kept directory are remembered, but whiteouts count
wherever they are: one for a directory above the kept one hides all of it.
Rule: OCI image layer specification, "whiteouts"; clustercatalog.md 13.18.
"""

from __future__ import annotations

from enum import Enum, auto

from olmv1.images.entry_names import ancestors, is_within, quoted
from olmv1.images.limits import LayerError
from olmv1.images.tar_stream import EntryKind

__all__ = ["Overlay", "Place"]

_WHITEOUT = ".wh."
_META = ".wh..wh."
_OPAQUE = ".wh..wh..opq"


class Place(Enum):
    """What an entry is to the result."""

    KEPT = auto()
    """Visible, in the kept directory."""
    PASSED = auto()
    """Hidden by a newer layer, outside the kept directory, or a whiteout."""


class Overlay:
    """The layers seen so far; `keep` is the plain name of the kept directory, empty for everything.

    Call `place` for every entry of a layer, then `end_layer`; begin with the newest layer.
    """

    def __init__(self, keep: str) -> None:
        self._keep = keep
        self._hidden: set[str] = set()
        self._opaque: set[str] = set()
        self._directories: set[str] = set()
        self._implied: set[str] = set()
        self._begin()

    def place(self, name: str, kind: EntryKind) -> Place:
        """Where the entry `name` (plain) of the current layer belongs.

        Raises:
            LayerError: the entry is a trick: twice in one layer, or below something that is not a directory.
        """
        if self._is_whiteout(name) or not self._matters(name):
            return Place.PASSED
        is_directory = kind is EntryKind.DIRECTORY
        self._require_consistent(name, is_directory=is_directory)
        self._here[name] = is_directory
        self._implied_here.update(ancestors(name))
        if self._is_hidden(name) or (not is_directory and name in self._directories):
            return Place.PASSED
        if is_directory:
            self._directories_here.add(name)
        else:
            self._require_not_above(name, kind)
            self._hidden_here.add(name)
        return Place.KEPT if is_within(name, self._keep) else Place.PASSED

    def end_layer(self) -> None:
        """Let what the current layer hides count for the older ones."""
        self._hidden |= self._hidden_here
        self._opaque |= self._opaque_here
        self._directories |= self._directories_here
        self._implied |= self._implied_here
        self._begin()

    def has_directory(self, name: str) -> bool:
        """Whether `name` is a visible directory, by an entry of its own or because something lies in it."""
        return name in self._directories or name in self._implied

    def _begin(self) -> None:
        self._here: dict[str, bool] = {}
        self._implied_here: set[str] = set()
        self._hidden_here: set[str] = set()
        self._opaque_here: set[str] = set()
        self._directories_here: set[str] = set()

    def _is_whiteout(self, name: str) -> bool:
        """Take note of a whiteout; they count for older layers only."""
        directory, _, last = name.rpartition("/")
        if not last.startswith(_WHITEOUT):
            return False
        if last == _OPAQUE:
            if self._matters(directory):
                self._opaque_here.add(directory)
        elif not last.startswith(_META):
            removed = last.removeprefix(_WHITEOUT)
            if removed in ("", ".", ".."):
                raise LayerError("the whiteout names no file", entry=name)
            target = f"{directory}/{removed}" if directory else removed
            if self._matters(target):
                self._hidden_here.add(target)
        return True

    def _matters(self, name: str) -> bool:
        return is_within(name, self._keep) or is_within(self._keep, name)

    def _is_hidden(self, name: str) -> bool:
        if name in self._hidden:
            return True
        return any(above in self._hidden or above in self._opaque for above in ancestors(name))

    def _require_consistent(self, name: str, *, is_directory: bool) -> None:
        """Within one layer a name is used once (directories may repeat), and nothing lies below a non-directory."""
        if not is_directory and (name in self._here or name in self._implied_here):
            raise LayerError("the name is used twice in one layer", entry=name)
        if is_directory and self._here.get(name) is False:
            raise LayerError("the name is used twice in one layer", entry=name)
        for above in ancestors(name):
            if self._here.get(above) is False:
                raise LayerError(f"it lies below {quoted(above)}, which is not a directory", entry=name)

    def _require_not_above(self, name: str, kind: EntryKind) -> None:
        """A visible non-directory may not be where newer entries or the kept directory need a directory.

        Writing through a link that an older layer left is how files get out of their root.
        """
        if name in self._implied:
            raise LayerError(f"a newer layer has entries below it, but it is a {kind.value}", entry=name)
        if self._keep and is_within(self._keep, name):
            raise LayerError(f"the directory {quoted('/' + self._keep)} was expected, found a {kind.value}", entry=name)
