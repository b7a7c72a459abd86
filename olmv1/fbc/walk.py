"""A directory → the catalog files in it. The only code of this room, with `reading`, that touches a disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from olmv1.fbc.errors import FbcError, shown
from olmv1.fbc.files import is_catalog_file, walk_order
from olmv1.fbc.ignore import IGNORE_FILE, IgnoreStack

__all__ = ["Survey", "catalog_files", "survey"]


@dataclass(frozen=True, slots=True)
class Survey:
    """What a directory holds: the catalog files and the names that are passed over, both in walk order.

    Names are relative to the root. Files that `.indexignore` leaves out are in neither. `refused`: the links that
    cannot be followed, and why, when the survey was to go on.
    """

    files: tuple[Path, ...]
    passed_over: tuple[str, ...]
    refused: tuple[FbcError, ...] = ()


def catalog_files(root: Path) -> Iterator[Path]:
    """The catalog files below `root`, in walk order and without those that an `.indexignore` leaves out.

    A symbolic link to a file inside `root` counts as that file.
    Raises: FbcError for a link that leads out of `root`, to a directory or to nothing.
    """
    return iter(survey(root).files)


def survey(root: Path, *, goes_on: bool = False) -> Survey:
    """The catalog files below `root` and the names of what is no catalog file.

    `goes_on`: catalog files that are bad links end up in `refused` instead of ending the survey.
    Raises: as `catalog_files`, and OSError.
    """
    top = root.resolve()
    files, passed_over, refused = [], [], []
    for name in _files(top):
        path = top / name
        if not is_catalog_file(name) or not (path.is_symlink() or path.is_file()):
            passed_over.append(name)
            continue
        try:
            files.append(_inside(top, name))
        except FbcError as error:
            if not goes_on:
                raise
            refused.append(error)
    return Survey(tuple(files), tuple(passed_over), tuple(refused))


def _files(top: Path) -> Iterator[str]:
    """The name of everything below `top` that is no directory and not ignored, in walk order."""
    # A list of what comes next instead of recursion: directories may nest deeper than Python does.
    ahead = [("", IgnoreStack())]
    while ahead:
        name, ignored = ahead.pop()
        if name and not _is_directory(top / name):
            if not ignored.ignores(name):
                yield name
            continue
        prefix = f"{name}/" if name else ""
        entries = {f"{prefix}{entry.name}" for entry in (top / name).iterdir()}
        ignore_file = f"{prefix}{IGNORE_FILE}"
        if ignore_file in entries and not _is_directory(top / ignore_file):
            ignored = ignored.with_file(ignore_file, _inside(top, ignore_file).read_bytes())
            entries.remove(ignore_file)
        ahead.extend((entry, ignored) for entry in sorted(entries, key=walk_order, reverse=True))


def _is_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _inside(top: Path, name: str) -> Path:
    """The file called `name`, or the one behind it when it is a link."""
    path = top / name
    if not path.is_symlink():
        return path
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise FbcError(f"{shown(name)}: the link leads to nothing") from error
    if not target.is_relative_to(top):
        raise FbcError(f"{shown(name)}: the link leads out of the catalog")
    if not target.is_file():
        raise FbcError(f"{shown(name)}: the link leads to something that is not a file")
    return target
