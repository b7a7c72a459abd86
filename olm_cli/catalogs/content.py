"""The files of one catalog, wherever it is: for the commands that look at how it is written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from olm_cli.catalogs.sources import PathSource, source_of

__all__ = ["content_of"]


@asynccontextmanager
async def content_of(place: str, pull_cas_dir: Path | None) -> AsyncIterator[Path]:
    """A directory or file with the catalog that `place` (DIR, FILE or IMAGE) means, to be read within the block.

    Raises:
        BadInput: it is neither a path nor an image.
        OlmError: the image cannot be pulled, or is no catalog.
    """
    source = source_of(place)
    if isinstance(source, PathSource):
        yield source.path
        return
    from olm_cli.catalogs.pulled import ImageReader  # noqa: PLC0415 - a registry client comes with it

    reader = ImageReader(pull_cas_dir)
    try:
        async with reader.folder(source.ref) as folder:
            yield folder
    finally:
        await reader.close()
