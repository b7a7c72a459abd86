"""Stands in for the base images: a Debian root with Debian's Python, and the Go of this machine in it.

The Containerfile names official images; where none can be pulled, the same Debian release comes from a package mirror
by debootstrap. Its Python is older than the one of the image: 3.13 instead of 3.14.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Base", "BuildError", "debian_root", "succeeded", "why_no_debian"]

_RELEASE = "trixie"
_PACKAGES = ("ca-certificates", "python3", "python3-pip")
_SAID_LINES = 20


class BuildError(Exception):
    """A step cannot be carried out; the message holds the end of what it said."""


@dataclass(frozen=True, slots=True)
class Base:
    """A root to begin with; `key` tells its content, `environment` and `binds` are there while commands run in it."""

    root: Path
    key: str
    environment: Mapping[str, str] = field(default_factory=dict)
    binds: Mapping[str, Path] = field(default_factory=dict)


def debian_root(folder: Path, mirror: str, report: Callable[[str], None]) -> Path:
    """The Debian root below `folder`, made where it is missing: a minute, 90 MB from `mirror`.

    Raises:
        BuildError: there is no debootstrap and none can be had, or it fails.
    """
    root = folder / f"debian-{_RELEASE}"
    if root.exists():
        return root
    report(f"making a Debian root ({_RELEASE}) out of packages from {mirror}: about a minute")
    folder.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="debian-", dir=folder))
    try:
        partial = scratch / "root"
        include = f"--include={','.join(_PACKAGES)}"
        command, environment = _debootstrap(scratch)
        succeeded([command, "--variant=minbase", include, _RELEASE, str(partial), mirror], environment)
        shutil.rmtree(partial / "var/cache/apt/archives", ignore_errors=True)
        partial.rename(root)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return root


def why_no_debian() -> str | None:
    """Why this machine cannot make a Debian root; `None` when it can."""
    needed = ("wget", "perl") if shutil.which("debootstrap") else ("wget", "perl", "apt-get", "dpkg-deb")
    missing = [name for name in needed if shutil.which(name) is None]
    return f"debootstrap needs {', '.join(missing)}" if missing else None


def succeeded(command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> str:
    """What a command prints.

    Raises:
        BuildError: it cannot be started or fails.
    """
    added = {**os.environ, **(environment or {})}
    try:
        done = subprocess.run(  # noqa: S603
            command, env=added, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as problem:
        raise BuildError(f"{command[0]}: {problem.strerror}") from problem
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-_SAID_LINES:])
        raise BuildError(f"{Path(command[0]).name} ended with code {done.returncode}:\n{said}")
    return done.stdout


def _debootstrap(scratch: Path) -> tuple[str, Mapping[str, str]]:
    """The command of the machine, or the one out of its Debian package, which need not be installed."""
    if found := shutil.which("debootstrap"):
        return found, {}
    download = ["apt-get", "--option", "APT::Sandbox::User=root", "download", "debootstrap"]
    try:
        succeeded(download, folder=scratch)
    except BuildError:
        succeeded(["apt-get", "update"])
        succeeded(download, folder=scratch)
    package = next(scratch.glob("debootstrap_*.deb"))
    succeeded(["dpkg-deb", "--extract", str(package), str(scratch / "debootstrap")])
    share = scratch / "debootstrap/usr/share/debootstrap"
    return str(scratch / "debootstrap/usr/sbin/debootstrap"), {"DEBOOTSTRAP_DIR": str(share)}
