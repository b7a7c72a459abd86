"""An image unpacked into a directory with its own file names: for people and for commands that read directories.

Shell. The directory appears complete or not at all. Only regular files and directories are ever made.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from olmv1.errors import TerminalError
from olmv1.images.puller import PulledImage, Puller

__all__ = ["unpack_to"]


async def unpack_to(puller: Puller, ref: str, directory: Path) -> PulledImage:
    """Write every file of image `ref` below `directory`, which must not exist or be empty.

    Raises:
        TerminalError: there is something in `directory`; or as `Puller.pull_files`.
        RetryableError: as `Puller.pull_files`.
        OSError: the disk does not do what is asked.
    """
    temporary = Path(await asyncio.to_thread(_begin, directory))
    try:
        pulled = await puller.pull_files(ref, on_file=lambda name, data: _write(temporary / name, data))
        await asyncio.to_thread(temporary.rename, directory)
        return pulled
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, temporary, ignore_errors=True))


def _begin(directory: Path) -> str:
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise TerminalError(f"{directory} exists and is not an empty directory")
    directory.parent.mkdir(parents=True, exist_ok=True)
    return tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Exclusive: names were checked, and nothing that exists may ever be written through.
    with path.open("xb") as file:
        file.write(data)
