"""The store: which content each catalog has, on the volume and in memory.

All methods but `snapshot`, `is_loaded` and `manifests` block and run in worker threads. Readers hold a `Snapshot` and
never wait for a writer; writers of one catalog take turns only for the few renames that publish or remove.
"""

from __future__ import annotations

import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from catalogd.store.errors import translated
from catalogd.store.layout import (
    CONTENT_FILES,
    REMOVED_PREFIX,
    WRITING_PREFIX,
    Layout,
    folder_of_digest,
    held,
    is_abandoned,
    remove_tree,
    remove_unfinished,
    sync_folder,
    write_durably,
)
from catalogd.store.manifest import ContentManifest
from catalogd.store.snapshot import BrokenContentError, Snapshot
from catalogd.store.writer import Checkpoint, ContentWriter
from olmv1.telemetry.logs import get_logger

__all__ = ["Store"]

_log = get_logger(__name__)


def _nothing(_step: str) -> None:
    return None


class Store:
    """The contents below one directory, which belongs to this process.

    `checkpoint` is called before every step that changes the volume; only tests give one.
    """

    def __init__(self, root: Path, *, checkpoint: Checkpoint = _nothing) -> None:
        self._layout = Layout(root)
        self._checkpoint = checkpoint
        self._served: dict[str, Snapshot] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._writing: set[Path] = set()
        self.is_loaded = False

    def snapshot(self, name: str) -> Snapshot | None:
        """What is served for a catalog now; memory only."""
        return self._served.get(name)

    def manifests(self) -> Mapping[str, ContentManifest]:
        """The manifests of everything that is served, by catalog."""
        served = self._served.copy()
        return MappingProxyType({name: snapshot.manifest for name, snapshot in served.items()})

    def load(self) -> None:
        """Serve what an earlier process left on the volume, one catalog after the other as it is verified.

        Content that is incomplete or damaged is left alone for `collect`.

        Raises:
            StoreError: the volume cannot be used at all.
        """
        with translated("prepare the cache", self._layout.root):
            self._layout.catalogs.mkdir(parents=True, exist_ok=True)
            names = self._layout.names()
        for name in names:
            try:
                folder = self._layout.pointer(name).read_text(encoding="utf8").strip()
                snapshot = Snapshot.verified(self._layout.content(name, folder), name)
            except FileNotFoundError:
                continue
            except (OSError, ValueError, BrokenContentError) as error:
                _log.warning("stored content not used", catalog=name, error=str(error))
                continue
            with self._lock(name):
                self._served.setdefault(name, snapshot)
            _log.info("content served from the volume", catalog=name, ref=snapshot.manifest.ref)
        self.is_loaded = True

    def is_intact(self, name: str) -> bool:
        """Whether the files of what is served are still on the volume, so that a restart finds them."""
        snapshot = self._served.get(name)
        if snapshot is None:
            return False
        folder = self._layout.content(name, folder_of_digest(snapshot.digest))
        return self._layout.pointer(name).is_file() and all((folder / file).is_file() for file in CONTENT_FILES)

    def scratch(self) -> BinaryIO:
        """A file without a name on the volume, gone with its last user.

        Raises:
            StoreError: the volume cannot be used.
        """
        with translated("create a temporary file", self._layout.root):
            return tempfile.TemporaryFile(dir=self._layout.root)

    @contextmanager
    def writer(self, name: str) -> Iterator[ContentWriter]:
        """A writer for new content of a catalog; what is not published at the end of the block is removed.

        Raises:
            StoreError: no file can be created or written, inside the block too.
        """
        folder = self._layout.catalog(name) / f"{WRITING_PREFIX}{uuid.uuid4().hex}"
        self._writing.add(folder)
        try:
            with translated(f'store content of catalog "{name}"', self._layout.catalog(name)):
                self._checkpoint("create directory")
                folder.mkdir(parents=True)
                with held(folder), ContentWriter(folder, self._checkpoint) as writer:
                    yield writer
        finally:
            self._writing.discard(folder)
            if folder.exists():
                remove_tree(folder)

    def publish(self, name: str, writer: ContentWriter, manifest: ContentManifest) -> Snapshot:
        """Serve the finished content of `writer`; the content before it goes from the volume, its readers finish.

        Raises:
            StoreError: a rename failed; the content before is still served.
        """
        digest = manifest.ref.rpartition("@")[2]
        folder = folder_of_digest(digest)
        target = self._layout.content(name, folder)
        with self._lock(name), translated(f'publish content of catalog "{name}"', self._layout.catalog(name)):
            served = self._served.get(name)
            if served is not None and served.digest == digest and self.is_intact(name):
                return served  # another loop of this process was faster; its directory must not be touched
            snapshot = Snapshot(writer.folder)
            # A directory with this digest that is not served is damaged or without pointer: it makes way first, so that
            # a crash leaves either the old pointer with its content or the new pair.
            if target.exists():
                self._checkpoint("move leftover away")
                self._discard(target)
            self._checkpoint("rename content")
            writer.folder.rename(target)
            sync_folder(target.parent)
            self._checkpoint("write pointer")
            write_durably(self._layout.pointer(name), f"{folder}\n".encode())
            self._served[name] = snapshot
            self._checkpoint("remove old content")
            self._remove_others(name, folder)
        return snapshot

    def remove(self, name: str) -> None:
        """Stop serving a catalog and remove all its content.

        Raises:
            StoreError: a file cannot be removed; nothing is served any more.
        """
        with self._lock(name), translated(f'remove content of catalog "{name}"', self._layout.catalog(name)):
            self._served.pop(name, None)
            # The pointer goes first: a crash in between leaves content that nobody serves again.
            self._checkpoint("remove pointer")
            self._layout.pointer(name).unlink(missing_ok=True)
            self._checkpoint("remove content")
            remove_tree(self._layout.catalog(name))

    def collect(self, is_known: Callable[[str], bool], *, now_s: float | None = None) -> None:
        """Remove what no catalog needs: directories of unknown catalogs, stale digests, writings of dead processes.

        What is being written is left alone. Rule: clustercatalog.md 8.2 and 13.11.

        Raises:
            StoreError: something could not be listed or removed.
        """
        now_s = time.time() if now_s is None else now_s
        with translated("collect garbage", self._layout.catalogs):
            for name in self._layout.names():
                if is_known(name):
                    self._collect_catalog(name, now_s)
                elif not any(folder.parent.name == name for folder in self._writing.copy()):
                    _log.info("content of an unknown catalog removed", catalog=name)
                    self.remove(name)

    def _lock(self, name: str) -> threading.Lock:
        return self._locks.setdefault(name, threading.Lock())

    def _collect_catalog(self, name: str, now_s: float) -> None:
        with self._lock(name):
            remove_unfinished(self._layout.pointer(name))
            served = self._served.get(name)
            kept = folder_of_digest(served.digest) if served else None
            for folder in self._layout.folders(name):
                path = self._layout.content(name, folder)
                if folder == kept or (folder.startswith(WRITING_PREFIX) and not is_abandoned(path, now_s)):
                    continue
                remove_tree(path)
                _log.info("stale content removed", catalog=name, folder=folder)

    def _remove_others(self, name: str, kept: str) -> None:
        for folder in self._layout.folders(name):
            if folder != kept and not folder.startswith(WRITING_PREFIX):
                self._discard(self._layout.content(name, folder))

    def _discard(self, path: Path) -> None:
        """Remove a content directory in two steps, so that a crash never leaves half of it under its digest."""
        removed = path.with_name(f"{REMOVED_PREFIX}{uuid.uuid4().hex}")
        path.rename(removed)
        remove_tree(removed)
