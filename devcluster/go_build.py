"""One run of `go build` with progress that a person can follow.

Used by `binaries`, which owns where the results go.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from devcluster.errors import DevClusterError

__all__ = ["Build", "run_build"]

_REPORT_EVERY_S = 15.0


@dataclass(frozen=True, slots=True)
class Build:
    """What to build: name of each program and its package, into `output_dir`, with the module in `module_dir`."""

    go: Path
    module_dir: Path
    packages: Mapping[str, str]
    output_dir: Path
    linker_flags: str


def run_build(build: Build, report: Callable[[str], None]) -> None:
    """Build every program; a line per program as it is done and one every quarter of a minute goes to `report`.

    Raises: DevClusterError with the end of the compiler's output.
    """
    report(f"building {', '.join(build.packages)}: the first build takes about 8 minutes, later ones seconds")
    progress = _Progress(build, report)
    arguments = ["build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", build.linker_flags]
    command = [str(build.go), *arguments, "-o", f"{build.output_dir}{os.sep}", *build.packages.values()]
    with _started(command, build.module_dir) as compiler, _output_of(compiler) as output:
        try:
            _follow(output, progress)
        except BaseException:
            compiler.kill()
            raise
    progress.look()
    if compiler.returncode:
        raise DevClusterError("the build of the tools failed:\n" + "\n".join(progress.last_lines))
    for name, package in build.packages.items():
        built_as = build.output_dir / _go_name(package)
        built_as.rename(build.output_dir / name)
    progress.tell(f"built {len(build.packages)} programs")


@dataclass(slots=True)
class _Progress:
    build: Build
    report: Callable[[str], None]
    started: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=time.monotonic)
    compiled: int = 0
    finished: set[str] = field(default_factory=set)
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=30))

    def read(self, line: str) -> None:
        """Take one line of `go build -v`: a package that is being compiled, a download, or an error."""
        self.last_lines.append(line.rstrip())
        self.compiled += not line.startswith(("go: ", "#"))

    def look(self) -> None:
        """Report programs that are done and, now and then, how far the compiler is."""
        for name, package in self.build.packages.items():
            if name not in self.finished and (self.build.output_dir / _go_name(package)).exists():
                self.finished.add(name)
                self.tell(f"{name} is linked")
        if time.monotonic() - self.told > _REPORT_EVERY_S:
            self.tell(f"{self.compiled} packages compiled")

    def tell(self, line: str) -> None:
        self.told = time.monotonic()
        self.report(f"  {line} ({self.told - self.started:.0f} s)")


def _started(command: Sequence[str], module_dir: Path) -> subprocess.Popen[bytes]:
    # no other compiler is fetched behind our back, and no C compiler is needed
    environment = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"}
    return subprocess.Popen(command, cwd=module_dir, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _output_of(compiler: subprocess.Popen[bytes]) -> IO[bytes]:
    if compiler.stderr is None:
        raise DevClusterError("the compiler was started without a pipe for its output")
    return compiler.stderr


def _follow(output: IO[bytes], progress: _Progress) -> None:
    """Read until the compiler closes its output, that is, until it ends."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            if selector.select(1.0):
                block = os.read(output.fileno(), 65536)
                if not block:
                    return
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    progress.read(line.decode(errors="replace"))
            progress.look()


def _go_name(package: str) -> str:
    """The file name that `go build` gives a package's program: its last part that is not a major version."""
    parts = package.split("/")
    return parts[-2] if parts[-1] == "v3" else parts[-1]
