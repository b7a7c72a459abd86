"""Charts as archives: written for helm, and read where a chart carries another one packed.

Deterministic: the same files give the same bytes. What is read is hostile: its size is bounded, and only plain files
below one folder are taken.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Mapping

from operator_controller.chart.errors import ChartError

__all__ = ["MAX_UNPACKED_BYTES", "packed", "unpacked"]

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
"""20 MiB: what a chart may have unpacked, also one inside another. Rule: helm-charts.md, "archive"."""

_FOLDER = "chart"


def packed(files: Mapping[str, bytes]) -> bytes:
    """The archive (tar, gzip) of a chart with these files, below one folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(f"{_FOLDER}/{path}")
            entry.size = len(files[path])
            archive.addfile(entry, io.BytesIO(files[path]))
    return gzip.compress(buffer.getvalue(), compresslevel=1, mtime=0)


def unpacked(data: bytes, where: str) -> dict[str, bytes]:
    """The files of a packed chart without their folder; `where` names it in messages.

    Raises: ChartError when it is damaged, too large, or holds anything but files.
    """
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(_decompressed(data, where)), mode="r:") as archive:
            for entry in archive:
                if entry.isdir():
                    continue
                # a sparse file says how large it is: a line of text would become a terabyte
                content = archive.extractfile(entry) if entry.isreg() and not entry.issparse() else None
                if content is None:
                    raise ChartError(f"{where}: entry {entry.name!r} is no regular file")
                files[_path(entry.name, where)] = content.read()
    except (tarfile.TarError, zlib.error, EOFError, ValueError) as error:
        raise ChartError(f"{where}: the archive is damaged") from error
    return files


def _decompressed(data: bytes, where: str) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    plain = stream.decompress(data, MAX_UNPACKED_BYTES + 1)
    if len(plain) > MAX_UNPACKED_BYTES:
        raise ChartError(f"{where} unpacks to more than {MAX_UNPACKED_BYTES} bytes")
    return plain


def _path(name: str, where: str) -> str:
    """`db/templates/a.yaml` → `templates/a.yaml`."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or "\\" in name or len(parts) < 2:
        raise ChartError(f"{where}: entry {name!r} lies outside its folder")
    return "/".join(parts[1:])
