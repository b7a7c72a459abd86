"""What the lock files pin. Standard library only: the build of the image reads its lock with this too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Pin", "canonical", "pins"]

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\\n]+?))?\s*\\?$", re.M)


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """One package of a lock file; `marker` says where it is installed, empty for everywhere."""

    name: str
    version: str
    marker: str = ""


def pins(path: Path) -> Sequence[Pin]:
    """The packages that a lock file pins, by name.

    Raises:
        ValueError: it pins nothing: that is no lock file.
    """
    found = [
        Pin(canonical(match["name"]), match["version"], match["marker"] or "")
        for match in _PIN.finditer(path.read_text(encoding="utf-8"))
    ]
    if not found:
        raise ValueError(f"{path.name}: expected lines of the form name==version, found none")
    return sorted(found)


def canonical(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
