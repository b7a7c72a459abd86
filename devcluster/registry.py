"""The loopback OCI registry of a cluster, behind TLS with a certificate of the cluster's authority.

Its content lives in memory and ends with it; `away()` takes it off the network and keeps the content. Tests and the
demo push images through it; components pull from it with `--pull-cas-dir`.
"""

from __future__ import annotations

import socket
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from devcluster.image_push import RegistryAddress, push
from devcluster.images import Image, ImageIndex
from devcluster.processes import Process
from devcluster.waiting import wait_for
from devcluster.workspace import Workspace

__all__ = ["Registry"]


class Registry:
    """A registry that answers on `https://127.0.0.1:<port>` and `https://localhost:<port>`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._plain_port = workspace.ports.reserve()
        self.port = workspace.ports.reserve()
        self._certificate, self._key = workspace.serving_pair("registry")
        self._plain: Process = workspace.spawn(
            "registry", [workspace.binaries.path("registry"), "-port", str(self._plain_port)]
        )
        self._terminator = self._start_terminator()

    @property
    def host(self) -> str:
        """`127.0.0.1:<port>`, the first part of a reference."""
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> RegistryAddress:
        """Where to push, and the authority that signed its certificate."""
        return RegistryAddress(self.host, self._workspace.authority_file)

    @property
    def authority_file(self) -> Path:
        """The certificate that clients must trust."""
        return self._workspace.authority_file

    @property
    def processes(self) -> list[Process]:
        """The registry and the TLS in front of it."""
        return [self._plain, self._terminator]

    def push(self, name: str, image: Image | ImageIndex) -> str:
        """Push under `name` (`repo:tag`) and return the reference by digest, `127.0.0.1:<port>/repo@sha256:…`.

        Raises: DevClusterError when the registry refuses.
        """
        return push(self.address, name, image)

    def wait_ready(self) -> None:
        """Wait until both processes accept connections.

        Raises: DevClusterError after ten seconds, or when one of them ends.
        """
        needs = self.processes
        wait_for(lambda: _accepts(self._plain_port), "the registry to listen", timeout_s=10, needs=needs)
        wait_for(self._answers_tls, "the registry's TLS to answer", timeout_s=10, needs=needs)

    @contextmanager
    def away(self) -> Iterator[None]:
        """The registry is unreachable inside the block; its images are there again after it."""
        self._terminator.signal(9)
        self._terminator.wait(10)
        try:
            yield
        finally:
            self._terminator = self._start_terminator()
            self.wait_ready()

    def _start_terminator(self) -> Process:
        module = [sys.executable, "-m", "devcluster.tls_terminator"]
        ports = [str(self.port), str(self._plain_port)]
        return self._workspace.spawn("registry-tls", [*module, *ports, str(self._certificate), str(self._key)])

    def _answers_tls(self) -> bool:
        context = ssl.create_default_context(cafile=str(self.authority_file))
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), 5) as raw,
            context.wrap_socket(raw, server_hostname="localhost"),
        ):
            return True
        return False


def _accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False
