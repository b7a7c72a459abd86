"""What one cluster owns on this machine: its folder, guard, ports, programs and authority.

Everything that starts a program takes a workspace. It knows nothing of Kubernetes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from devcluster.binaries import PROGRAMS, PROJECT_DIR, Binaries, ensure
from devcluster.certificates import CertificateAuthority, KeyPair
from devcluster.errors import DevClusterError
from devcluster.ports import PortPool
from devcluster.processes import Command, Guard, Process

__all__ = ["LOOPBACK_NAMES", "Workspace"]

LOOPBACK_NAMES = ("127.0.0.1", "localhost")
# what a cluster puts into its folder: removed when the next one begins there, nothing else is
_OWN = (
    *("accounts", "audit.log", "ca", "components", "etcd", "etcd.sock:0", "etcd-peer.sock:0", "home", "kubectl-cache"),
    *("logs", "pki"),
)


class Workspace:
    """The folder of one cluster and everything that must end with it.

    A temporary folder is removed at the end, also when the owner is killed, unless `DEVCLUSTER_KEEP` is set; a named
    one stays with its logs.
    """

    def __init__(self, state_dir: Path | None = None, programs: Sequence[str] = tuple(PROGRAMS)) -> None:
        self.binaries: Binaries = ensure(programs)
        self.state_dir = state_dir.resolve() if state_dir else Path(tempfile.mkdtemp(prefix="devcluster-"))
        self.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = _lock(self.state_dir)
        for rest in _OWN:
            _remove(self.state_dir / rest)
        self.logs_dir = self.folder("logs")
        self.guard = Guard.start()
        self.ports = PortPool()
        self.authority = CertificateAuthority("devcluster")
        if state_dir is None and not os.environ.get("DEVCLUSTER_KEEP"):
            self.guard.remove_at_end(self.state_dir)
        # a folder with nothing but the authority, as --pull-cas-dir and --catalogd-cas-dir want it
        self.authority_dir = self.folder("ca")
        self.authority_file = self.write("ca/ca.crt", self.authority.pair.certificate)

    def folder(self, name: str) -> Path:
        """The folder `name` below the state folder, created where it is missing."""
        folder = self.state_dir / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def write(self, name: str, content: bytes) -> Path:
        """Write a file below the state folder that only the owner may read."""
        path = self.state_dir / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        return path

    def write_pair(self, name: str, pair: KeyPair) -> tuple[Path, Path]:
        """Write certificate and key as `pki/<name>.crt` and `pki/<name>.key`."""
        return self.write(f"pki/{name}.crt", pair.certificate), self.write(f"pki/{name}.key", pair.key)

    def serving_pair(self, name: str) -> tuple[Path, Path]:
        """Certificate and key files of a server on this machine."""
        return self.write_pair(name, self.authority.issue(name, hosts=LOOPBACK_NAMES))

    def spawn(self, name: str, argv: Sequence[str], env: Mapping[str, str] | None = None) -> Process:
        """Start a program whose output goes to `logs/<name>.log`; `env` is added to this process's environment."""
        environment = {**_environment(), **(env or {})}
        return self.guard.spawn(Command(name, tuple(argv), self.state_dir, self.logs_dir / f"{name}.log", environment))

    def close(self) -> None:
        """Kill every program, remove a temporary folder, give the ports back."""
        self.guard.close()
        self.ports.close()
        self._lock.close()


def _lock(folder: Path) -> IO[str]:
    """The lock of a state folder, held until it is closed or this process ends.

    Raises: DevClusterError when another cluster has it.
    """
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise DevClusterError(f"another cluster uses the state folder {folder}") from None
    return lock


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    """This process's environment with the project importable and no proxy between programs on this machine."""
    paths = [str(PROJECT_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    direct = [*filter(None, [os.environ.get("NO_PROXY") or os.environ.get("no_proxy")]), *LOOPBACK_NAMES]
    # Compiled code is kept: a component that compiles itself at each start takes three times as long to come up.
    cache = os.environ.get("PYTHONPYCACHEPREFIX") or str(PROJECT_DIR / ".tools" / "pycache")
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": cache}
    own = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1", **compiled}
    return {**os.environ, **own, "NO_PROXY": ",".join(direct), "no_proxy": ",".join(direct)}
