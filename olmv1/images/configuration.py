"""The configuration files of this room, read from disk: registries, signature policy, logins.

Shell. Asked at every pull; a file is read again only when its `stat` changed, so a change counts at the next pull.
What the files mean is decided in `registries_conf`, `policy` and `credentials`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

from olmv1.errors import RetryableError
from olmv1.images.credentials import ANONYMOUS, Credentials, parse_docker_config
from olmv1.images.policy import Policy, parse_policy
from olmv1.images.registries_conf import RegistriesConf, parse_registries
from olmv1.images.settings import ImageSettings

__all__ = ["Configuration", "Stamp", "stamp_of"]

Value = TypeVar("Value")
Stamp = tuple[tuple[str, int, int, int], ...]


def stamp_of(paths: Iterable[Path]) -> Stamp:
    """What tells that one of `paths` changed: inode, size and time of each.

    Raises:
        OSError: a path cannot be looked at.
    """
    return tuple((str(path), *_facts(path)) for path in paths)


class Configuration:
    """The files that `settings` names, as values that follow them."""

    def __init__(self, settings: ImageSettings) -> None:
        self._settings = settings
        self._registries = _Followed(self._registries_files, _read_registries)
        self._policy = _Followed(lambda: _first(settings.policy), _read_policy)
        self._logins = _Followed(lambda: _existing(settings.auth_files), _read_logins)

    async def registries(self) -> RegistriesConf:
        """The registry tables in force; none without files.

        Raises:
            RetryableError: a file cannot be read or parsed.
        """
        return await asyncio.to_thread(self._registries.value, "loading registries configuration")

    async def policy(self) -> Policy | None:
        """The signature policy; `None` only when no policy file exists at all.

        Raises:
            RetryableError: the file exists but cannot be read or parsed. Nothing may be accepted then.
        """
        return await asyncio.to_thread(self._policy.value, "error loading policy context")

    async def logins(self) -> Credentials:
        """The credentials of docker configuration files, earlier files first.

        Raises:
            RetryableError: a file exists but cannot be read.
        """
        return await asyncio.to_thread(self._logins.value, "loading registry logins")

    async def stamp(self) -> Stamp:
        """A value that changes when registries, policy, logins or certificates change: a failed pull may work then.

        Raises:
            RetryableError: a file cannot be looked at.
        """
        try:
            return await asyncio.to_thread(self._stamp)
        except OSError as error:
            raise RetryableError(f"{error.filename} cannot be read: {error.strerror}") from error

    def registries_file(self) -> Path | None:
        """The main registries file in use, for tools that read it themselves."""
        return next(iter(_first(self._settings.registries_conf)), None)

    def _registries_files(self) -> tuple[Path, ...]:
        folders = _existing(self._settings.registries_conf_dirs)
        drop_ins = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix == ".conf"]
        return (*_first(self._settings.registries_conf), *drop_ins)

    def _stamp(self) -> Stamp:
        settings = self._settings
        folders = (*((settings.pull_cas_dir,) if settings.pull_cas_dir else ()), *settings.certs_dirs)
        certificates = [path for folder in folders for path in sorted(folder.glob("**/*")) if path.is_file()]
        logins = _existing(settings.auth_files)
        return stamp_of((*self._registries_files(), *_first(settings.policy), *logins, *certificates))


class _Followed(Generic[Value]):
    """A value read from files, kept until one of them changes."""

    def __init__(self, find: Callable[[], tuple[Path, ...]], read: Callable[[tuple[Path, ...]], Value]) -> None:
        self._find = find
        self._read = read
        self._kept: tuple[Stamp, Value] | None = None

    def value(self, step: str) -> Value:
        try:
            paths = self._find()
            stamp = stamp_of(paths)
            if self._kept is None or self._kept[0] != stamp:
                self._kept = (stamp, self._read(paths))
            return self._kept[1]
        except OSError as error:
            raise RetryableError(f"{step}: {error.filename} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise RetryableError(f"{step}: {error}") from error


def _facts(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _existing(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(path for path in paths if _is_there(path))


def _first(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The first path that exists, alone; a path that may not be looked at raises: it could exist."""
    return next(((path,) for path in paths if _is_there(path)), ())


def _is_there(path: Path) -> bool:
    # Path.exists answers no for what may not be looked at (since Python 3.14), which would be a silent accept.
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _read_registries(paths: tuple[Path, ...]) -> RegistriesConf:
    return RegistriesConf().merged(*(parse_registries(path.read_text("utf-8"), str(path)) for path in paths))


def _read_policy(paths: tuple[Path, ...]) -> Policy | None:
    return parse_policy(paths[0].read_bytes(), str(paths[0])) if paths else None


def _read_logins(paths: tuple[Path, ...]) -> Credentials:
    return ANONYMOUS.merged(*(parse_docker_config(path.read_bytes(), str(path)) for path in reversed(paths)))
