"""Names in layers: made plain, or refused.

Pure. A plain name has no leading slash, no `.` or `..` and no empty part; the root of the image is the empty name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from olmv1.images.limits import LayerError, Limits

__all__ = ["ancestors", "configs_dir_of", "is_within", "link_target", "plain_name", "quoted", "require_usual"]

_COMPONENT_BYTES = 255
_QUOTED_LIMIT = 200


def plain_name(name: str) -> str:
    """`./configs//a/` → `configs/a`.

    Raises:
        LayerError: the name is absolute or has a part `..`.
    """
    if name.startswith("/"):
        raise LayerError("the name is absolute", entry=name)
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise LayerError('the name has a part ".."', entry=name)
    return "/".join(parts)


def require_usual(name: str, limits: Limits) -> None:
    """Refuse a plain name that is too long or deep, is not UTF-8, or has control characters."""
    try:
        encoded = name.encode()
    except UnicodeEncodeError as error:
        raise LayerError("the name is not UTF-8", entry=name) from error
    parts = name.split("/")
    if len(parts) > limits.depth:
        raise LayerError(f"the name has {len(parts)} parts, the limit is {limits.depth}", entry=name)
    if len(encoded) > limits.path_bytes or any(len(part.encode()) > _COMPONENT_BYTES for part in parts):
        raise LayerError(f"the name is too long (limit: {limits.path_bytes} bytes)", entry=name)
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in name):
        raise LayerError("the name has control characters", entry=name)


def link_target(name: str, target: str) -> str:
    """The plain name that a symbolic link `name` → `target` leads to; `/` means the root of the image.

    Raises:
        LayerError: the link leads out of the image, or nowhere.
    """
    parts = [] if target.startswith("/") else name.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                raise LayerError(f"the link to {quoted(target)} leads out of the image", entry=name)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not target:
        raise LayerError("the link has no target", entry=name)
    return "/".join(parts)


def configs_dir_of(label: str) -> str:
    """The plain name of the directory that the image label names; `..` never leads above the root.

    Example: `/a/../configs/` → `configs`; empty or `/` → empty, the whole image. Rule: fbc.md 2 "label value".
    """
    parts: list[str] = []
    for part in label.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def ancestors(name: str) -> Iterator[str]:
    """The directories above `name`, nearest first, the root (empty) last; none for the root itself."""
    while name:
        name = name.rpartition("/")[0]
        yield name


def is_within(name: str, directory: str) -> bool:
    """Whether `name` is `directory` or lies below it."""
    return not directory or name == directory or name.startswith(f"{directory}/")


def quoted(name: str) -> str:
    """`name` for a message: in quotes, odd characters escaped, at most 200 of them."""
    return json.dumps(name if len(name) <= _QUOTED_LIMIT else f"{name[:_QUOTED_LIMIT]}…")
