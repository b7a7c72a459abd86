"""A catalog on disk → `Catalog`: the library surface `olmv1.fbc.load`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from olmv1.fbc.blobs import blobs_of_file
from olmv1.fbc.catalog import Catalog, catalog_of
from olmv1.fbc.errors import FbcError, shown
from olmv1.fbc.model import Blob
from olmv1.fbc.walk import Survey, survey

__all__ = ["load"]


def load(path: Path | str) -> Catalog:
    """The catalog in the directory `path` (or in the one file `path`, whatever its name), blobs in walk order.

    Blocks; reads every file whole. Raises: FbcError naming the file and the document.
    """
    root = Path(path)
    try:
        found = survey(root) if root.is_dir() else Survey((root,), ())
        top = root.resolve() if root.is_dir() else root.parent
        return catalog_of(_blobs(top, found), found.passed_over)
    except OSError as error:
        raise FbcError(f"{shown(str(error.filename or path))}: {(error.strerror or str(error)).lower()}") from error


def _blobs(top: Path, found: Survey) -> Iterator[Blob]:
    for path in found.files:
        yield from blobs_of_file(path.read_bytes(), path.relative_to(top).as_posix())
