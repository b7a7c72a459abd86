"""What an image is made of, in bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["parts_of"]

_APPLICATION = ("olmv1", "catalogd", "operator_controller", "olm_cli")
_PROGRAMS = {"helm": "helm", "skopeo": "skopeo", "gpg": "gpg", "gpgconf": "gpg"}


def parts_of(root: Path) -> Mapping[str, int]:
    """The bytes of each part, largest first; together they are the whole image.

    A library is a part under its own name when it has more than 3 MB, else it is one of the `other libraries`.
    """
    sizes: dict[str, int] = {}
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            part = _part(path.relative_to(root))
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
    small = {part for part, size in sizes.items() if part.startswith("library ") and size < 3_000_000}
    sizes["other libraries"] = sum(sizes.pop(part) for part in small)
    return dict(sorted(sizes.items(), key=lambda item: (-item[1], item[0])))


def _part(path: Path) -> str:
    parts = path.parts
    for folder in ("site-packages", "dist-packages"):
        if folder in parts:
            package = parts[parts.index(folder) + 1]
            name = package.partition(".")[0].partition("-")[0]
            return "this project" if name in _APPLICATION else f"library {name}"
    if path.name in _PROGRAMS:
        return _PROGRAMS[path.name]
    if any(part.startswith("python3") for part in parts):
        return "Python"
    return "shared objects of Debian" if ".so" in path.name else "certificates, licences, names"
