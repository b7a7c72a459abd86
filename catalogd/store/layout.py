"""Where things are on the volume: names of directories and files, and durable ways to create and remove them.

    <root>/catalogs/<name>/current                 hex digest of the content that is served
    <root>/catalogs/<name>/<hex digest>/…          content, complete as soon as it has this name
    <root>/catalogs/<name>/.writing-<random>/…     content that is being written
    <root>/catalogs/<name>/.removed-<random>/…     content that is being removed

Names come from Kubernetes (a catalog name is a DNS subdomain) and from digests, never from inside a catalog.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CONTENT_FILES",
    "DATA_FILE",
    "GZIP_FILE",
    "INDEX_FILE",
    "MANIFEST_FILE",
    "REMOVED_PREFIX",
    "WRITING_PREFIX",
    "ZSTD_FILE",
    "Layout",
    "folder_of_digest",
    "held",
    "is_abandoned",
    "remove_tree",
    "remove_unfinished",
    "sync_folder",
    "write_durably",
]

DATA_FILE = "catalog.jsonl"
GZIP_FILE = "catalog.jsonl.gz"
ZSTD_FILE = "catalog.jsonl.zst"
INDEX_FILE = "index"
MANIFEST_FILE = "manifest.json"
CONTENT_FILES = (DATA_FILE, GZIP_FILE, ZSTD_FILE, INDEX_FILE, MANIFEST_FILE)
WRITING_PREFIX = ".writing-"
REMOVED_PREFIX = ".removed-"
_POINTER = "current"
_ABANDONED_AFTER_S = 3600.0


@dataclass(frozen=True, slots=True)
class Layout:
    """The tree of one volume."""

    root: Path

    @property
    def catalogs(self) -> Path:
        """The directory with one directory per catalog."""
        return self.root / "catalogs"

    def catalog(self, name: str) -> Path:
        """The directory of one catalog."""
        return self.catalogs / name

    def pointer(self, name: str) -> Path:
        """The file that names the content that is served."""
        return self.catalogs / name / _POINTER

    def content(self, name: str, folder: str) -> Path:
        """The directory of one content of a catalog; `folder` as `folder_of_digest` gives it."""
        return self.catalogs / name / folder

    def names(self) -> tuple[str, ...]:
        """The catalogs that have a directory, sorted."""
        return _folders_in(self.catalogs)

    def folders(self, name: str) -> tuple[str, ...]:
        """The directories below a catalog's own, sorted; hidden ones are unfinished or on their way out."""
        return _folders_in(self.catalog(name))


def _folders_in(path: Path) -> tuple[str, ...]:
    """None in a directory that is not there: a catalog may be removed at any time."""
    try:
        return tuple(sorted(entry.name for entry in os.scandir(path) if entry.is_dir(follow_symlinks=False)))
    except FileNotFoundError:
        return ()


def folder_of_digest(digest: str) -> str:
    """The directory name of `sha256:<hex>`: the hex digits; other algorithms keep their name in front."""
    algorithm, _, encoded = digest.partition(":")
    return encoded if algorithm == "sha256" else f"{algorithm}-{encoded}"


def write_durably(path: Path, data: bytes) -> None:
    """Create or replace the file `path` with `data`, on the disk before this returns; never half of it."""
    scratch = _scratch_of(path)
    with scratch.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
    sync_folder(path.parent)


def remove_unfinished(path: Path) -> None:
    """Remove what `write_durably` leaves when the process is killed in it; nobody may be writing `path` now."""
    _scratch_of(path).unlink(missing_ok=True)


def _scratch_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def sync_folder(folder: Path) -> None:
    """Make names that were created, renamed or removed in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Mark `folder` as in use by this process; the mark ends with the block, or with the process however that ends."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # a volume without locks: others then go by the age of the folder
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def is_abandoned(folder: Path, now_s: float) -> bool:
    """Whether no process is at work in `folder`; on a volume without locks: whether it is older than an hour."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return now_s - os.fstat(descriptor).st_mtime > _ABANDONED_AFTER_S
    finally:
        os.close(descriptor)
    return True


def remove_tree(folder: Path) -> None:
    """Remove a directory with all that is in it, read-only parts too; one that is gone already is fine.

    Raises:
        OSError: something could not be removed.
    """
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except PermissionError:
        _make_writable(folder)
        shutil.rmtree(folder)


def _make_writable(folder: Path) -> None:
    folder.chmod(stat.S_IRWXU)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _make_writable(Path(entry.path))
