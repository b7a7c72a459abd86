"""The programs of the control plane: found, or built once from the Go module `tools/` and kept under `.tools/`.

Owns the cache (`.tools/<key>/bin`, one key per content of the module and its flags) and its lock: a program in there
is always whole, because it is renamed into it after the build has ended well. `KUBEBUILDER_ASSETS` wins over building.
Used by `workspace`; it starts no server.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from devcluster.errors import DevClusterError
from devcluster.go_build import Build, run_build
from devcluster.go_toolchain import find_go

__all__ = ["PROGRAMS", "PROJECT_DIR", "Binaries", "ensure", "linker_flags", "versions_key"]

PROJECT_DIR = Path(__file__).resolve().parent.parent
PROGRAMS: Mapping[str, str] = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "helm": "helm.sh/helm/v3/cmd/helm",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
    "kwok": "sigs.k8s.io/kwok/cmd/kwok",
    "registry": "github.com/google/go-containerregistry/cmd/registry",
}
_KUBERNETES = re.compile(r"^\s*k8s\.io/kubernetes (v(\d+)\.(\d+)\.\S+)", re.MULTILINE)
_HELM = re.compile(r"^\s*helm\.sh/helm/v3 (v\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Binaries:
    """Where each program is."""

    paths: Mapping[str, Path]

    def path(self, name: str) -> str:
        """The path of one program.

        Raises: DevClusterError when it was not asked for.
        """
        if name not in self.paths:
            raise DevClusterError(f"program {name} was not prepared, only {', '.join(sorted(self.paths))}")
        return str(self.paths[name])


def ensure(
    names: Sequence[str] = tuple(PROGRAMS),
    *,
    project_dir: Path = PROJECT_DIR,
    report: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
) -> Binaries:
    """All programs of `names`, built where they are missing; `report` gets the progress of a build, line by line.

    Raises: DevClusterError when `KUBEBUILDER_ASSETS` is no folder or a build fails.
    """
    paths = _given_programs(names)
    cache = project_dir / ".tools" / versions_key(project_dir / "tools") / "bin"
    paths |= {name: cache / name for name in names if name not in paths}
    if any(not path.exists() for path in paths.values()):
        with _locked(project_dir / ".tools" / "build.lock", report):
            missing = [name for name, path in paths.items() if not path.exists()]
            if missing:
                _build(missing, cache, project_dir, report)
    return Binaries(paths)


def versions_key(module_dir: Path) -> str:
    """The name of the cache folder: it changes with the module, its sums, the build flags and the machine's kind."""
    content = hashlib.sha256()
    for name in ("go.mod", "go.sum"):
        content.update((module_dir / name).read_bytes() + b"\0")
    content.update(linker_flags((module_dir / "go.mod").read_text()).encode() + b"\0")
    content.update(f"{sys.platform}-{platform.machine()}".encode())
    return content.hexdigest()[:16]


def linker_flags(go_mod: str) -> str:
    """The linker flags: no debug information, and the versions that the Kubernetes programs and helm shall tell.

    Raises: DevClusterError when `go_mod` requires no k8s.io/kubernetes.
    """
    found = _KUBERNETES.search(go_mod)
    if not found:
        raise DevClusterError("tools/go.mod requires no k8s.io/kubernetes")
    values = {"gitVersion": found[1], "gitMajor": found[2], "gitMinor": found[3], "gitTreeState": "clean"}
    told = [f"-X k8s.io/component-base/version.{key}={value}" for key, value in values.items()]
    if helm := _HELM.search(go_mod):
        # without these helm tells `v3.22`, which is no version to those who read it, and takes every cluster for v1.20
        told += [
            f"-X helm.sh/helm/v3/internal/version.version={helm[1]}",
            f"-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor={found[2]}",
            f"-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor={found[3]}",
        ]
    return " ".join(["-s", "-w", *told])


def _given_programs(names: Sequence[str]) -> dict[str, Path]:
    given = os.environ.get("KUBEBUILDER_ASSETS")
    if not given:
        return {}
    folder = Path(given).resolve()
    if not folder.is_dir():
        raise DevClusterError(f"KUBEBUILDER_ASSETS is {given}, which is not a folder")
    return {name: folder / name for name in names if os.access(folder / name, os.X_OK)}


def _build(missing: Sequence[str], cache: Path, project_dir: Path, report: Callable[[str], None]) -> None:
    tools_dir = project_dir / ".tools"
    go = find_go(tools_dir, report)
    _remove_rests(cache.parent)
    cache.mkdir(parents=True, exist_ok=True)
    # same file system as the cache, so that the rename is one step
    scratch = Path(tempfile.mkdtemp(prefix="build-", dir=cache.parent))
    try:
        module_dir = project_dir / "tools"
        flags = linker_flags((module_dir / "go.mod").read_text())
        run_build(Build(go, module_dir, {name: PROGRAMS[name] for name in missing}, scratch, flags), report)
        for name in missing:
            (scratch / name).rename(cache / name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _remove_rests(folder: Path) -> None:
    """Remove what a killed build left; only called under the lock."""
    for rest in folder.glob("build-*"):
        shutil.rmtree(rest, ignore_errors=True)


@contextmanager
def _locked(lock: Path, report: Callable[[str], None]) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("another build of the tools is running: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
