"""The image of this project, built on this machine: Containerfile, stand-ins for base images, caches, put together."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from devcluster.binaries import PROJECT_DIR
from devcluster.go_toolchain import find_go
from tools.image.confined import why_impossible
from tools.image.containerfile import Config, parse
from tools.image.debian import Base, BuildError, debian_root, succeeded, why_no_debian
from tools.image.stages import Workshop, build

__all__ = ["MIRROR", "Image", "build_image", "why_not_here"]

MIRROR = "http://deb.debian.org/debian"
# How this machine reaches networks; a value that is a file is shown to the build under another name.
_NETWORK_VARIABLES = (
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("PIP_INDEX_URL", "PIP_CERT", "PIP_DEFAULT_TIMEOUT", "GOPROXY", "GOSUMDB", "SSL_CERT_FILE"),
)


@dataclass(frozen=True, slots=True)
class Image:
    """A finished root file system and what a container is started with."""

    root: Path
    config: Config


def build_image(
    *,
    arguments: Mapping[str, str] | None = None,
    mirror: str = MIRROR,
    report: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),  # noqa: T201
) -> Image:
    """The image of the project as it is now; what did not change since the last time is taken from `.tools/image`.

    `arguments` are build arguments of the Containerfile.

    Raises:
        BuildError: this machine cannot build it, or a step fails.
    """
    if reason := why_not_here():
        raise BuildError(reason)
    project = PROJECT_DIR
    stages = parse((project / "Containerfile").read_text(), arguments or {})
    folder = project / ".tools/image"
    with _locked(folder), _readable_by_all():
        debian = debian_root(folder, mirror, report)
        go = find_go(project / ".tools", report)
        machine = Base(
            debian,
            debian.name,
            {"PATH": "/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
            {"/usr/local/go": Path(_told(str(go), "GOROOT"))},
        )
        variables = {name: os.environ[name] for name in _NETWORK_VARIABLES if os.environ.get(name)}
        files = {name: Path(value) for name, value in variables.items() if Path(value).is_file()}
        workshop = Workshop(
            project=project,
            folder=folder / "stages",
            bases=lambda _: machine,
            caches=partial(_cache, folder, str(go)),
            network={**variables, **{name: _inside(name) for name in files}},
            network_binds={_inside(name): path for name, path in files.items()},
            report=report,
        )
        return Image(build(stages, workshop), stages[-1].config)


@contextmanager
def _readable_by_all() -> Iterator[None]:
    """What is made inside can be read by the account that the image runs as, whatever this shell is set to."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def why_not_here() -> str | None:
    """Why this machine cannot build the image, whatever the network gives; `None` when it can."""
    return why_impossible() or why_no_debian()


def _cache(folder: Path, go: str, name: str) -> Path:
    """The folder of a cache mount: Go shares with whoever builds on this machine, others are ours."""
    asked = {"go-modules": "GOMODCACHE", "go-build": "GOCACHE"}.get(name)
    found = Path(_told(go, asked)) if asked else folder / "caches" / name
    found.mkdir(parents=True, exist_ok=True)
    return found


def _told(go: str, name: str) -> str:
    return succeeded([go, "env", name]).strip()


def _inside(name: str) -> str:
    return f"/run/machine/{name}"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One build at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
