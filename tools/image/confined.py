"""A command with a folder as its root, in mount namespaces of its own: nothing that it mounts is seen by others.

Used by the build for `RUN`, and by tests to run the finished image. Needs root, as mounting does.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Confinement", "why_impossible"]

_DEVICES = ("full", "null", "random", "urandom", "zero")
_WRITABLE = "/tmp"  # noqa: S108 - of the image, not of this machine
_TOOLS = ("chroot", "env", "mkdir", "mount", "sh", "touch", "unshare")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """How commands see `root`.

    `environment` is all that they know. `binds`: path inside the root to a path of this machine. With `is_read_only`
    only `/tmp` can be written, which is empty and in memory, and what `binds` puts there. `user`: `UID:GID`, with no
    right beyond theirs; empty for root.
    """

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    binds: Mapping[str, Path] = field(default_factory=dict)
    is_read_only: bool = False
    user: str = ""

    def arguments(self, *command: str) -> list[str]:
        """What to start: it becomes the command, so signals reach it and its exit code is the command's."""
        return [_tool("unshare"), "--mount", _tool("sh"), "-eu", "-c", self._script(command)]

    def _script(self, command: tuple[str, ...]) -> str:
        root = shlex.quote(str(self.root))
        # private first: a mount must not travel to the rest of the machine
        lines = ["mount --make-rprivate /", f"mount --bind {root} {root}"]
        if self.is_read_only:
            writable = shlex.quote(f"{self.root}{_WRITABLE}")
            lines += [f"mount -o remount,bind,ro {root}", f"mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs {writable}"]
        lines += [f"mount -t proc proc {root}/proc", f"mount -t tmpfs -o mode=0755 tmpfs {root}/dev"]
        for device in _DEVICES:
            lines += [f"touch {root}/dev/{device}", f"mount --bind /dev/{device} {root}/dev/{device}"]
        for inside, outside in sorted(self.binds.items()):
            lines += _bind(shlex.quote(f"{self.root}{inside}"), outside)
        variables = [f"{name}={value}" for name, value in sorted(self.environment.items())]
        account = [f"--userspec={self.user}", "--groups="] if self.user else []
        entered = [_tool("env"), "-i", *variables, _tool("chroot"), *account, str(self.root), *command]
        return "\n".join([*lines, f"exec {shlex.join(entered)}"])


def why_impossible() -> str | None:
    """Why no command can be confined on this machine; `None` when it can."""
    missing = [name for name in _TOOLS if shutil.which(name) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    with tempfile.TemporaryDirectory() as folder:
        place = shlex.quote(folder)
        trial = f"mount --make-rprivate / && mount -t tmpfs tmpfs {place} && mount -t proc proc {place}"
        tried = subprocess.run(  # noqa: S603
            [_tool("unshare"), "--mount", _tool("sh"), "-c", trial], capture_output=True, text=True, check=False
        )
    return None if tried.returncode == 0 else f"mounting needs root: {tried.stderr.strip()}"


def _bind(target: str, outside: Path) -> list[str]:
    make = f"[ -e {target} ] || "
    parents = f"mkdir -p $(dirname {target})"
    make += f"mkdir -p {target}" if outside.is_dir() else f"{{ {parents}; touch {target}; }}"
    return [make, f"mount --rbind {shlex.quote(str(outside))} {target}"]


def _tool(name: str) -> str:
    return shutil.which(name) or name
