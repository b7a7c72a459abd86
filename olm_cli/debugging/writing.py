"""The archive on disk: complete or not there, and for its owner only."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from olm_cli.problems import BadInput

__all__ = ["default_place", "write_archive"]


def default_place(name: str, now: datetime) -> Path:
    """Where the archive about the extension `name` goes if nobody says otherwise: the working directory."""
    return Path(f"olm-debug-{name}-{now:%Y%m%dT%H%M%SZ}.tar.gz")


def write_archive(place: Path, folder: str, files: Mapping[str, bytes], now: datetime) -> int:
    """Write the archive, readable for its owner only, in place of an older file of this name; its bytes.

    Raises:
        BadInput: the folder is not there or takes nothing, or `place` is no file.
    """
    if place.exists() and not place.is_file():
        raise BadInput(f'cannot write "{place}": it is there and no file')
    archive = _archive_of(folder, files, now)
    try:
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".olm-debug-", delete=False) as spooled:
            try:
                spooled.write(archive)
                spooled.flush()
                os.replace(spooled.name, place)
            except BaseException:
                Path(spooled.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise BadInput(f'cannot write "{place}": {(error.strerror or str(error)).lower()}') from error
    return len(archive)


def _archive_of(folder: str, files: Mapping[str, bytes], now: datetime) -> bytes:
    """A gzipped tar of `files` below `folder`, the same bytes for the same values."""
    packed = io.BytesIO()
    seconds = int(now.timestamp())
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=seconds) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(content), seconds, 0o600
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()
