"""The files of a bundle or chart, from a directory of this machine or from an image, as the controller sees them."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from olm_cli.output import say_once
from olm_cli.problems import BadInput
from olm_cli.progress import working
from olmv1.errors import TerminalError

__all__ = ["Found", "files_of_directory", "found_at"]

_FOLDERS = ("manifests", "metadata")
# The bounds of bundle images: a bundle is held in memory as a whole.
_MAX_FILES = 20_000
_MAX_FILE_BYTES = 32 << 20
_MAX_BYTES = 128 << 20
_CHART_FILE = "Chart.yaml"
_SUGGESTED = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What is at a place: path → content, of a registry+v1 bundle or, below one folder, of a Helm chart."""

    files: Mapping[str, bytes]
    is_chart: bool = False


async def found_at(place: str, pull_cas_dir: Path | None = None) -> Found:
    """The bundle or chart in a directory, else in the image that `place` names.

    A directory with a Chart.yaml and without `manifests/` is a chart.

    Raises:
        BadInput: there is neither, or what is there is no bundle directory or image.
        RetryableError: the registry does not answer as it should now.
    """
    on_disk = await asyncio.to_thread(_found_on_disk, place)
    if on_disk is not None:
        return on_disk
    return await _found_in_image(place.removeprefix("docker://"), pull_cas_dir)


def _found_on_disk(place: str) -> Found | None:
    path = Path(place).expanduser()
    if not place or not path.exists():
        return None
    if (path / _CHART_FILE).is_file() and not (path / _FOLDERS[0]).exists():
        return Found(_read(path, is_whole=True), is_chart=True)
    if path.is_dir() and not _holds_content(path):
        inside = [f'"{each}"' for each in sorted(path.iterdir()) if each.is_dir() and _holds_content(each)]
        hint = f"; did you mean {' or '.join(inside[-_SUGGESTED:])}?" if inside else ""
        raise BadInput(f"{place}: expected a directory with manifests/ and metadata/ or a Chart.yaml, found none{hint}")
    return Found(files_of_directory(path))


def _holds_content(path: Path) -> bool:
    return any((path / name).exists() for name in (*_FOLDERS, _CHART_FILE))


def files_of_directory(root: Path) -> Mapping[str, bytes]:
    """The files of `manifests/` and `metadata/`, which is all that counts in a bundle.

    A folder is there as `manifests/`, without content, so that an empty one differs from none. Links may lead to other
    files below `root` only.

    Raises:
        BadInput: `root` is no directory, or has something that an image could not bring either.
    """
    return _read(root, is_whole=False)


def _read(root: Path, *, is_whole: bool) -> Mapping[str, bytes]:
    try:
        if not root.is_dir():
            found = "a file" if root.exists() else "nothing"
            raise BadInput(f"{root}: expected a directory with manifests/ and metadata/, or an image; found {found}")
        reader = _Reader(root.resolve(strict=True))
        return reader.chart() if is_whole else reader.bundle()
    except OSError as error:
        raise BadInput(f"{error.filename or root}: {error.strerror or error}") from error


class _Reader:
    """Reads one directory and keeps account of how much it was."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, bytes] = {}
        self._bytes = 0

    def bundle(self) -> Mapping[str, bytes]:
        """Every file that counts in a bundle, in the order of the names."""
        for folder in _FOLDERS:
            path = self._root / folder
            if path.is_dir():
                self._files[f"{folder}/"] = b""
                for item in sorted(path.iterdir()):
                    self._add(f"{folder}/{item.name}", item)
        return self._files

    def chart(self) -> Mapping[str, bytes]:
        """Every file at any depth, below a folder as in the archive of a chart; links to folders are not followed."""
        for folder, _, names in os.walk(self._root):
            for name in sorted(names):
                path = Path(folder, name)
                self._add(f"chart/{path.relative_to(self._root).as_posix()}", path)
        return self._files

    def _add(self, name: str, path: Path) -> None:
        if len(self._files) >= _MAX_FILES:
            raise BadInput(f"{self._root}: more than {_MAX_FILES} files")
        target = path.resolve(strict=True)
        if not target.is_relative_to(self._root):
            raise BadInput(f"{path}: the link leads out of the directory, to {target}")
        found = target.stat()
        if stat.S_ISDIR(found.st_mode):
            self._files[f"{name}/"] = b""
            return
        # Before it is opened: a pipe would be waited for.
        if not stat.S_ISREG(found.st_mode):
            raise BadInput(f"{path}: expected a regular file")
        with target.open("rb") as file:
            data = file.read(_MAX_FILE_BYTES + 1)
        self._bytes += len(data)
        if len(data) > _MAX_FILE_BYTES or self._bytes > _MAX_BYTES:
            raise BadInput(
                f"{path}: too large, the limits are {_MAX_FILE_BYTES} bytes for a file and {_MAX_BYTES} for a bundle"
            )
        self._files[name] = data


async def _found_in_image(place: str, pull_cas_dir: Path | None) -> Found:
    from olm_cli.rendering.pulled import pulled  # noqa: PLC0415 - a directory needs no registry client
    from olmv1.images.references import Reference  # noqa: PLC0415

    try:
        reference = Reference.parse(place)
    except TerminalError as error:
        raise BadInput(
            f"{place}: there is no such directory, and it is no full image reference such as "
            f"quay.io/example/my-operator-bundle:v1.0.0"
        ) from error
    with working(f"pulling {reference}"):
        found, warnings = await pulled(str(reference), pull_cas_dir)
    for warning in warnings:
        say_once(f"warning: {warning}")
    return found
