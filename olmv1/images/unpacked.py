"""One unpacked image on disk: how it is written, found again and read.

Shell; blocking, for worker threads. An entry is a directory named by the image digest, with `image.json` (written
last) and one file per distinct content, named by its hash. Names from an image never become file names here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from olmv1.errors import RetryableError
from olmv1.images.digests import Digest

__all__ = ["EntryWriter", "UnpackedImage", "entries_of", "entry_path", "load_entry", "sweep"]

_FORMAT = 1
_INDEX = "image.json"
_TEMPORARY = "tmp-"


@dataclass(frozen=True, slots=True)
class UnpackedImage:
    """An image in the cache. `digest_ref` is `<repository>@<digest>`, `path` the directory of the entry.

    `contents`: hash of the content by path in the image; `size_bytes` of all of them; `config_type` the media type of
    the image's configuration; `warnings` from the pull, empty when it came from the cache.
    """

    digest_ref: str
    digest: Digest
    path: Path
    contents: Mapping[str, str]
    size_bytes: int
    config_type: str
    warnings: tuple[str, ...] = ()

    def files(self) -> Mapping[str, bytes]:
        """The content of every file by its path in the image, verified; bounded by the limits of the pull.

        Reads the disk: call it in a thread where the image may be large.

        Raises:
            RetryableError: a file is gone or damaged; the entry is dropped, so that the next unpack pulls again.
        """
        found: dict[str, bytes] = {}
        try:
            for name, content_hash in self.contents.items():
                data = (self.path / content_hash).read_bytes()
                if hashlib.sha256(data).hexdigest() != content_hash:
                    raise _damaged(self, name)
                found[name] = data
        except OSError as error:
            raise _damaged(self, name) from error
        return found


class EntryWriter:
    """A new entry under a temporary name; `finish` puts it in its place at once, `drop` leaves nothing behind.

    Every method raises RetryableError when the disk does not do what is asked.
    """

    def __init__(self, cache_dir: Path) -> None:
        self._cache_dir = cache_dir
        self._contents: dict[str, str] = {}
        self._size_bytes = 0
        with _disk(cache_dir):
            cache_dir.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=cache_dir))

    def add(self, name: str, data: bytes) -> None:
        """Keep a file of the image."""
        content_hash = hashlib.sha256(data).hexdigest()
        self._contents[name] = content_hash
        self._size_bytes += len(data)
        path = self._folder / content_hash
        with _disk(self._cache_dir):
            if not path.exists():
                path.write_bytes(data)

    def finish(self, digest_ref: str, digest: Digest, config_type: str) -> UnpackedImage:
        """The finished entry for `digest`; one that is there already gives way."""
        contents = dict(sorted(self._contents.items()))
        index = {
            "format": _FORMAT,
            "digest": digest,
            "configType": config_type,
            "sizeBytes": self._size_bytes,
            "files": contents,
        }
        target = entry_path(self._cache_dir, digest)
        with _disk(self._cache_dir):
            (self._folder / _INDEX).write_bytes(orjson.dumps(index))
            shutil.rmtree(target, ignore_errors=True)
            self._folder.rename(target)
        return UnpackedImage(digest_ref, digest, target, contents, self._size_bytes, config_type)

    def drop(self) -> None:
        """Remove what was written, if it was not finished."""
        shutil.rmtree(self._folder, ignore_errors=True)


def entry_path(cache_dir: Path, digest: Digest) -> Path:
    """Where the entry of `digest` is, or would be."""
    return cache_dir / f"{digest.algorithm}-{digest.hex}"


def load_entry(cache_dir: Path, digest: Digest, digest_ref: str) -> UnpackedImage | None:
    """The entry of `digest`, marked as used now; `None` when it is absent or incomplete."""
    path = entry_path(cache_dir, digest)
    index = _index(path)
    if index is None or index.get("digest") != digest:
        return None
    os.utime(path / _INDEX)
    return UnpackedImage(digest_ref, digest, path, index["files"], index["sizeBytes"], index["configType"])


def entries_of(cache_dir: Path) -> list[tuple[float, Path, int]]:
    """Time of last use, directory and size in bytes of every complete entry, the longest unused first."""
    found: list[tuple[float, Path, int]] = []
    for path in cache_dir.iterdir() if cache_dir.is_dir() else ():
        if (index := _index(path)) is not None:
            found.append(((path / _INDEX).stat().st_mtime, path, index["sizeBytes"]))
    return sorted(found)


def sweep(cache_dir: Path) -> None:
    """Remove what a crash has left behind: temporary directories and incomplete entries. Nobody may be writing."""
    for path in cache_dir.iterdir() if cache_dir.is_dir() else ():
        if _index(path) is None:
            shutil.rmtree(path, ignore_errors=True)


def _index(path: Path) -> dict[str, Any] | None:
    """The index of a complete entry: readable, of our format, all its files present."""
    if path.name.startswith(_TEMPORARY):
        return None
    try:
        index = orjson.loads((path / _INDEX).read_bytes())
        present = {item.name for item in path.iterdir()}
        is_complete = index["format"] == _FORMAT and present.issuperset(index["files"].values())
        return index if is_complete and isinstance(index["sizeBytes"], int) else None
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return None


def _damaged(image: UnpackedImage, name: str) -> RetryableError:
    shutil.rmtree(image.path, ignore_errors=True)
    return RetryableError(f"the cached copy of {image.digest_ref} is damaged ({name}) and was dropped")


@contextmanager
def _disk(cache_dir: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RetryableError(f"the image cache {cache_dir} cannot be written: {error.strerror}") from error
