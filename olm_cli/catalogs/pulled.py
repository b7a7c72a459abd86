"""Catalogs in images. Imported only when one is named: a registry client comes with it."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from olm_cli.catalogs.loaded import LoadedCatalog
from olm_cli.catalogs.sources import ImageSource
from olm_cli.output import say
from olm_cli.progress import working
from olmv1 import fbc
from olmv1.images import ImageSettings, Puller
from olmv1.telemetry.logs import configure_logs

__all__ = ["ImageReader"]


class ImageReader:
    """Pulls catalog images as the container tools of this machine would; close it at the end."""

    def __init__(self, pull_cas_dir: Path | None) -> None:
        configure_logs("ERROR", json=False)
        self._puller = Puller(ImageSettings.from_environment(os.environ, pull_cas_dir=pull_cas_dir))

    def catalog(self, source: ImageSource) -> LoadedCatalog:
        """The catalog in an image, pulled when it is first asked for something."""
        return LoadedCatalog(source.name, lambda: self._load(source.ref))

    async def close(self) -> None:
        """Close connections and threads."""
        await self._puller.close()

    @asynccontextmanager
    async def folder(self, ref: str) -> AsyncIterator[Path]:
        """The files of the catalog in the image `ref`, in a folder that goes with the block.

        Raises:
            OlmError: the image cannot be pulled, or is no catalog.
        """
        # A folder: its walk knows which files count, and an image gives them in any order.
        with tempfile.TemporaryDirectory(prefix="olm-") as name:
            with working(f"pulling {ref}"):
                pulled = await self._puller.pull_catalog(ref, on_file=lambda path, data: _write(Path(name, path), data))
            for warning in pulled.warnings:
                say(f"warning: {warning}")
            yield Path(name)

    async def _load(self, ref: str) -> fbc.Catalog:
        async with self.folder(ref) as folder:
            with working(f"reading {ref}"):
                return await asyncio.to_thread(fbc.load, folder)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Exclusive: the puller checked the names, and nothing that exists may be written through.
    with path.open("xb") as file:
        file.write(data)
