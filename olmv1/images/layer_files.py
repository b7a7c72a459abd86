"""The visible files of an image, delivered one by one while its layers stream past, newest first.

Pure but for blocking: it runs in a worker thread and opens nothing. At most one file is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from olmv1.images.entry_names import plain_name, require_usual
from olmv1.images.image_manifests import Descriptor
from olmv1.images.layer_stream import LayerStream, VerifiedBlob
from olmv1.images.limits import Budget, LayerError, Limits
from olmv1.images.links import Link, Wanted, link_of, wanted_of
from olmv1.images.overlay import Overlay, Place
from olmv1.images.tar_stream import EntryKind, TarEntry, TarStream

__all__ = ["LayerFiles", "OnFile"]

OnFile = Callable[[str, bytes], None]
"""Receives a file: its path relative to the kept directory, and its content."""

_LINKS = frozenset({EntryKind.HARD_LINK, EntryKind.SYMBOLIC_LINK})
_HARMLESS = frozenset({EntryKind.FILE, EntryKind.DIRECTORY, *_LINKS})


class LayerFiles:
    """The files of one image below `keep` (plain name; empty: all).

    First `add_layer` for every layer, newest first; then, while `layers_wanted` names any, `add_links` for these.
    """

    def __init__(self, keep: str, limits: Limits, on_file: OnFile) -> None:
        self._keep = keep
        self._limits = limits
        self._on_file = on_file
        self._budget = Budget(limits)
        self._overlay = Overlay(keep)
        self._files: dict[str, int] = {}
        self._links: dict[str, Link] = {}
        self._wanted = Wanted()

    @property
    def file_count(self) -> int:
        """Files delivered so far, links included."""
        return self._budget.kept_files

    @property
    def size_bytes(self) -> int:
        """Content delivered so far."""
        return self._budget.kept_bytes

    @property
    def dangling(self) -> list[LayerError]:
        """Links that lead to no file; known after the last layer."""
        return self._wanted.dangling

    @property
    def has_directory(self) -> bool:
        """Whether the image has the kept directory at all."""
        return not self._keep or self._overlay.has_directory(self._keep) or bool(self._files)

    def add_layer(self, number: int, descriptor: Descriptor, read: Callable[[], bytes]) -> None:
        """Deliver the visible files of layer `number` (0: the oldest) whose blob `read` gives.

        Raises:
            LayerError: the layer is hostile or damaged.
            RegistryError: the blob is not what its digest names; then this is raised whatever else was found.
        """
        blob = VerifiedBlob(read, descriptor)
        try:
            tar = self._open(blob)
            for name, entry in self._entries(tar):
                if self._overlay.place(name, entry.kind) is Place.KEPT:
                    self._keep_entry(number, name, entry, tar)
            self._overlay.end_layer()
        finally:
            # What was changed on the way explains every other finding, and is retried.
            blob.verify()

    def layers_wanted(self) -> list[int]:
        """After the last layer: the layers to go through again for links, newest first; mostly none."""
        self._wanted = wanted_of(self._links, self._files)
        newest = max((link.layer for links in self._wanted.copies.values() for link in links), default=-1)
        return list(range(newest, -1, -1))

    def add_links(self, number: int, descriptor: Descriptor, read: Callable[[], bytes]) -> None:
        """Deliver the files of layer `number` that links stand for, under the names of the links.

        Raises:
            LayerError, RegistryError: as for `add_layer`.
        """
        blob = VerifiedBlob(read, descriptor)
        try:
            tar = self._open(blob)
            for name, entry in self._entries(tar):
                due = [link for link in self._wanted.copies.get(name, ()) if link.layer >= number]
                if due and entry.kind is EntryKind.FILE:
                    self._deliver([link.name for link in due], entry, tar)
                    self._wanted.copies[name] = [link for link in self._wanted.copies[name] if link not in due]
        finally:
            blob.verify()

    def end_links(self) -> None:
        """After the last `add_links`: what was not found is dangling too."""
        missing = [link for links in self._wanted.copies.values() for link in links]
        self._wanted.dangling.extend(
            LayerError(f'the link leads to "{link.target}", which is no file of the image', entry=link.name)
            for link in missing
        )

    @property
    def has_links_left(self) -> bool:
        """Whether some link still waits for its content."""
        return any(self._wanted.copies.values())

    def _open(self, blob: VerifiedBlob) -> TarStream:
        return TarStream(LayerStream(blob, self._budget).read, self._limits.extension_bytes)

    def _entries(self, tar: TarStream) -> Iterator[tuple[str, TarEntry]]:
        while (entry := tar.next()) is not None:
            self._budget.count_entry()
            yield plain_name(entry.name), entry

    def _keep_entry(self, number: int, name: str, entry: TarEntry, tar: TarStream) -> None:
        require_usual(name, self._limits)
        if not name and entry.kind is not EntryKind.DIRECTORY:
            raise LayerError(f"the root of the image is a {entry.kind.value}", entry=entry.name)
        if entry.kind not in _HARMLESS:
            raise LayerError(f"a {entry.kind.value} is refused", entry=name)
        if entry.kind in _LINKS:
            self._links[name] = link_of(name, entry, number, self._keep)
        elif entry.kind is EntryKind.FILE:
            self._files[name] = number
            self._deliver([name], entry, tar)

    def _deliver(self, names: list[str], entry: TarEntry, tar: TarStream) -> None:
        for name in names:
            try:
                self._budget.count_kept(entry.size_bytes)
            except LayerError as refusal:
                raise LayerError(str(refusal), entry=name) from refusal
        content = tar.content()
        for name in names:
            self._on_file(name.removeprefix(self._keep).lstrip("/") if self._keep else name, content)
