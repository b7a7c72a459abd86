"""`catalogd` and `operator-controller` as real processes here, with the rights of their ServiceAccounts only.

Used by API tests, e2e, benchmarks and the demo. They are known by module name and flags; nothing of them is imported.
"""

from __future__ import annotations

import os
import signal
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.errors import DevClusterError
from devcluster.processes import Process
from devcluster.waiting import wait_for

__all__ = ["Component", "ComponentOptions", "Components", "catalogd", "operator_controller"]

_CATALOGD_ACCOUNT = "catalogd-controller-manager"
_CONTROLLER_ACCOUNT = "operator-controller-controller-manager"


@dataclass(frozen=True, slots=True)
class ComponentOptions:
    """How a component differs from the usual one.

    `instance` names its log, folders and certificate: give a second replica a name of its own. `flags` are added and
    win; a flag set to `None` is left out. `env` is added to the environment.
    """

    instance: str = ""
    flags: Mapping[str, str | None] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


class Component:
    """One component: its command line, ports and folders stay the same over restarts."""

    def __init__(
        self, cluster: Cluster, module: str, flags: Mapping[str, str | None], options: ComponentOptions
    ) -> None:
        self._cluster = cluster
        self._module = module
        self._env = options.env
        self.name = options.instance or module.partition(".")[0].replace("_", "-")
        self.flags = {**flags, **options.flags}
        self.log: Path = cluster.workspace.logs_dir / f"{self.name}.log"
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """The process id.

        Raises: DevClusterError when it was never started.
        """
        return self._started().pid

    @property
    def probe_url(self) -> str:
        """The address of `/healthz` and `/readyz`, without a path."""
        return f"http://{self.flags['health-probe-bind-address']}"

    @property
    def metrics_url(self) -> str:
        """The address of `/metrics`."""
        return f"https://{self.flags['metrics-bind-address']}/metrics"

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode() is None

    def start(self) -> Component:
        """Start the process; its log goes on where the last one ended.

        Raises: DevClusterError when it runs already.
        """
        if self.is_running:
            raise DevClusterError(f"{self.name} runs already as process {self.pid}")
        given = [f"--{flag}={value}" for flag, value in sorted(self.flags.items()) if value is not None]
        command = [sys.executable, "-m", self._module, *given]
        # an empty home: the user's registry logins must not decide what a test sees
        home = {"HOME": str(self._cluster.workspace.folder("home")), "XDG_RUNTIME_DIR": "", "KUBECONFIG": ""}
        self._process = self._cluster.workspace.spawn(self.name, command, {**home, **self._env})
        return self

    def wait_ready(self, timeout_s: float = 30) -> Component:
        """Wait until `/readyz` answers 200.

        Raises: DevClusterError with the end of the log when the process ends first or `timeout_s` seconds pass.
        """
        wait_for(self.is_ready, f"{self.name} to be ready", timeout_s=timeout_s, needs=[self._started()])
        return self

    def is_ready(self) -> bool:
        """Whether `/readyz` answers 200 now."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with suppress(OSError), opener.open(f"{self.probe_url}/readyz", timeout=5) as response:
            return bool(response.status == 200)
        return False

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal and return at once."""
        self._started().signal(number)

    def stop(self, timeout_s: float = 15) -> int:
        """Ask the process to end and return its exit code.

        Raises: DevClusterError when it still runs after `timeout_s` seconds.
        """
        process = self._started()
        process.signal(signal.SIGTERM)
        return self._ended(process, timeout_s)

    def restart(self, number: int = signal.SIGKILL, *, timeout_s: float = 15) -> Component:
        """End the process with a signal where it runs, start it again, wait until it is ready."""
        process = self._started()
        process.signal(number)
        self._ended(process, timeout_s)
        return self.start().wait_ready()

    def log_text(self) -> str:
        """Everything it wrote since its first start."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _ended(self, process: Process, timeout_s: float) -> int:
        code = process.wait(timeout_s)
        if code is None:
            raise DevClusterError(f"{self.name} still runs {timeout_s:g} s after the signal:\n{process.log_tail()}")
        return code

    def _started(self) -> Process:
        if self._process is None:
            raise DevClusterError(f"{self.name} was not started")
        return self._process


@dataclass(frozen=True, slots=True)
class Components:
    """One catalogd and one operator-controller that work together."""

    catalogd: Component
    operator_controller: Component

    def start(self) -> Components:
        """Start both and wait until they are ready."""
        for component in (self.catalogd, self.operator_controller):
            component.start()
        for component in (self.catalogd, self.operator_controller):
            component.wait_ready()
        return self

    def stop(self) -> None:
        """Ask those that run to end, and wait; one that does not end in time is killed.

        Raises: DevClusterError naming the one that had to be killed.
        """
        running = [c for c in (self.operator_controller, self.catalogd) if c.is_running]
        stubborn = []
        for component in running:
            component.kill(signal.SIGTERM)
        for component in running:
            try:
                component.stop()
            except DevClusterError as failure:
                component.kill()
                stubborn.append(str(failure))
        if stubborn:
            raise DevClusterError("\n".join(stubborn))


def catalogd(cluster: Cluster, options: ComponentOptions | None = None) -> Component:
    """A catalogd, not yet started, that serves over TLS on a free port of loopback.

    `install_olm()` must have been called: it acts as its ServiceAccount.
    """
    chosen = options or ComponentOptions()
    name = chosen.instance or "catalogd"
    address = _address(cluster)
    flags = _common_flags(cluster, name, _CATALOGD_ACCOUNT) | {
        "catalogs-server-addr": address,
        "external-address": address,
        "cache-dir": str(cluster.workspace.folder(f"components/{name}/cache")),
    }
    return Component(cluster, "catalogd.main", flags, chosen)


def operator_controller(cluster: Cluster, options: ComponentOptions | None = None) -> Component:
    """An operator-controller, not yet started; `install_olm()` must have been called."""
    chosen = options or ComponentOptions()
    name = chosen.instance or "operator-controller"
    flags = _common_flags(cluster, name, _CONTROLLER_ACCOUNT) | {
        "catalogd-cas-dir": str(cluster.authority_dir),
        "cache-path": str(cluster.workspace.folder(f"components/{name}/cache")),
    }
    # charts are rendered by the `helm` of the tools, whatever this machine has
    helm = Path(cluster.workspace.binaries.path("helm")).parent
    path = {"PATH": os.pathsep.join([str(helm), os.environ.get("PATH", os.defpath)])}
    return Component(cluster, "operator_controller.main", flags, replace(chosen, env={**path, **chosen.env}))


def _common_flags(cluster: Cluster, name: str, account: str) -> dict[str, str | None]:
    certificate, key = cluster.workspace.serving_pair(name)
    return {
        "kubeconfig": str(cluster.kubeconfig_for(SYSTEM_NAMESPACE, account)),
        "system-namespace": SYSTEM_NAMESPACE,
        "pull-cas-dir": str(cluster.authority_dir),
        "tls-cert": str(certificate),
        "tls-key": str(key),
        "health-probe-bind-address": _address(cluster),
        "metrics-bind-address": _address(cluster),
        "leader-elect": "false",
    }


def _address(cluster: Cluster) -> str:
    return f"127.0.0.1:{cluster.workspace.ports.reserve()}"
