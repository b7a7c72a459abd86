"""The error of the store, and the one place where failures of the file system become it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from olmv1.errors import RetryableError

__all__ = ["StoreError", "translated"]

_WORDS = {
    errno.ENOSPC: "no space left on the volume",
    errno.EDQUOT: "the quota of the volume is used up",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the volume is read-only",
}


class StoreError(RetryableError):
    """Content cannot be written, read or removed; the message names the catalog and the folder."""


@contextmanager
def translated(action: str, folder: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError inside into `cannot <action> in "<folder>": <why>`; name no folder with a random name."""
    try:
        yield
    except OSError as error:
        why = _WORDS.get(error.errno or 0) or error.strerror or "input or output failed"
        raise StoreError(f'cannot {action} in "{os.fspath(folder)}": {why}') from error
