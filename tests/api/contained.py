"""Components out of the container image: the same flags as elsewhere, another root, which they cannot write."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.processes import Process
from devcluster.waiting import wait_for
from tools.image.building import Image
from tools.image.confined import Confinement

__all__ = ["Contained", "readable_copy", "said_inside"]

_ACCOUNT = 65532
_GIVEN = "/tmp/given"
# the mount points of the image; the flags have them as defaults
_CACHES = {"cache-dir": "/var/cache/catalogd", "cache-path": "/var/cache/operator-controller"}


class Contained(AbstractContextManager["Contained"]):
    """A component in the image, as the account of the image; `component` says its flags and is not started itself."""

    def __init__(self, image: Image, cluster: Cluster, component: Component, folder: Path) -> None:
        self._image, self._cluster, self._component = image, cluster, component
        self._given = _folder(folder / "given")
        self._caches: dict[str, Path] = {}
        flags = [f"--{name}={value}" for name, value in component.flags.items() if value and name not in _CACHES]
        self._arguments = [self._translated(flag) for flag in flags]
        for name in _CACHES.keys() & component.flags.keys():
            self._caches[_CACHES[name]] = _folder(folder / "cache")
        _hand_over(folder)
        self._process: Process | None = None

    def __enter__(self) -> Contained:
        confinement = Confinement(
            root=self._image.root,
            environment=self._image.config.environment,
            binds={_GIVEN: self._given, **self._caches},
            is_read_only=True,
            user=self._image.config.user,
        )
        arguments = confinement.arguments(self._component.name, *self._arguments)
        self._process = self._cluster.workspace.spawn(self._component.name, arguments)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode() is None:
            self.process.signal()
            if self.process.wait(30) is None:
                self.process.signal(9)

    @property
    def process(self) -> Process:
        assert self._process is not None
        return self._process

    def wait_ready(self) -> None:
        wait_for(self._component.is_ready, f"{self._component.name} to be ready", timeout_s=90, needs=[self.process])

    def status(self, name: str) -> str:
        """A line of what the kernel tells about the process, e.g. `Uid`."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:"))

    def cpu_s(self) -> float:
        """The processor seconds that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _translated(self, flag: str) -> str:
        """The flag with a copy, which the account can read, of the file or folder that it names."""
        name, _, value = flag.partition("=")
        path = Path(value)
        if not (path.is_absolute() and path.exists()):
            return flag
        copy = self._given / name.lstrip("-")
        (shutil.copytree if path.is_dir() else shutil.copy)(path, copy)
        return f"{name}={_GIVEN}/{copy.name}"


def said_inside(image: Image, *command: str, binds: Mapping[str, Path] | None = None) -> tuple[int, str]:
    """Exit code and everything that a command says in the image."""
    confinement = Confinement(
        root=image.root,
        environment=image.config.environment,
        binds=binds or {},
        is_read_only=True,
        user=image.config.user,
    )
    arguments: Sequence[str] = confinement.arguments(*command)
    done = subprocess.run(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout


def readable_copy(source: Path, folder: Path) -> Path:
    """A copy of a folder, in `folder`, that the account of the image can read whatever a checkout is like."""
    copy = folder / source.name
    shutil.copytree(source, copy)
    _hand_over(copy)
    return copy


def _folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def _hand_over(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, _ACCOUNT, _ACCOUNT)
