"""A Kubernetes cluster for tests, demo and e2e: one that is started here, or one that the user gave.

Callers get `Cluster.start()`, `Cluster.existing(kubeconfig)` or, where either will do, `Cluster.from_environment()`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType

from devcluster.audit import AuditLog
from devcluster.binaries import PROJECT_DIR
from devcluster.control_plane import ControlPlane
from devcluster.errors import DevClusterError
from devcluster.kubeconfig import endpoint_of, kubeconfig_of, token_user
from devcluster.kubectl import Kubectl
from devcluster.processes import Process
from devcluster.reader import Reader
from devcluster.registry import Registry
from devcluster.workspace import Workspace

__all__ = ["SYSTEM_NAMESPACE", "Cluster"]

SYSTEM_NAMESPACE = "olmv1-system"
_TOKEN_DURATION = "24h"  # noqa: S105 - how long, not what


class Cluster:
    """A cluster with a registry beside it; leave it with `stop()` or as a context manager."""

    def __init__(self, workspace: Workspace, kubeconfig: Path, control_plane: ControlPlane | None) -> None:
        self.workspace = workspace
        self.control_plane = control_plane
        self.kubeconfig = kubeconfig
        reader = Reader(kubeconfig) if control_plane else None
        self.kubectl = Kubectl(kubeconfig, workspace.state_dir / "kubectl-cache", reader)
        self.registry = Registry(workspace)
        self._olm_installed = False

    @classmethod
    def start(cls, state_dir: Path | None = None) -> Cluster:
        """A new cluster that can run pods; built first where the programs are missing.

        `state_dir` keeps logs after the end; `None` is a temporary folder that goes away.
        Raises: DevClusterError with the end of the log of the program that failed.
        """
        return cls._open(Workspace(state_dir), ControlPlane)

    @classmethod
    def existing(cls, kubeconfig: Path, state_dir: Path | None = None) -> Cluster:
        """The user's own cluster, with a loopback registry of ours beside it; stopping leaves the cluster alone.

        Raises: DevClusterError when the kubeconfig is no file.
        """
        if not kubeconfig.is_file():
            raise DevClusterError(f"kubeconfig {kubeconfig} is not a file")
        return cls._open(Workspace(state_dir, programs=["helm", "registry"]), None, kubeconfig.resolve())

    @classmethod
    def from_environment(cls) -> Cluster:
        """The cluster of the environment variable `KUBECONFIG` where it is set, else a new one."""
        given = os.environ.get("KUBECONFIG")
        return cls.existing(Path(given)) if given else cls.start()

    @classmethod
    def _open(
        cls, workspace: Workspace, plane_of: Callable[[Workspace], ControlPlane] | None, kubeconfig: Path | None = None
    ) -> Cluster:
        try:
            plane = plane_of(workspace) if plane_of else None
            cluster = cls(workspace, kubeconfig or _required(plane).kubeconfig, plane)
            if plane:
                plane.start()
            cluster.registry.wait_ready()
        except BaseException:
            workspace.close()
            raise
        return cluster

    @property
    def state_dir(self) -> Path:
        """The folder with `logs/`, keys and data."""
        return self.workspace.state_dir

    @property
    def authority_dir(self) -> Path:
        """A folder with the certificate that signed everything here, for `--pull-cas-dir` and `--catalogd-cas-dir`."""
        return self.workspace.authority_dir

    @property
    def is_own(self) -> bool:
        """Whether the control plane was started here (audit log, free to break) and is not the user's."""
        return self.control_plane is not None

    @cached_property
    def audit(self) -> AuditLog:
        """The API server's audit log.

        Raises: DevClusterError for a user's cluster, whose log is out of reach.
        """
        return AuditLog(_required(self.control_plane).audit_path)

    @property
    def environment(self) -> dict[str, str]:
        """Variables for a command that shall use this cluster."""
        return {
            **self.kubectl.environment,
            "DEVCLUSTER_REGISTRY": self.registry.host,
            "DEVCLUSTER_CA": str(self.workspace.authority_file),
        }

    @property
    def processes(self) -> list[Process]:
        """Every program that was started here, without the components."""
        plane = list(self.control_plane.processes.values()) if self.control_plane else []
        return [*plane, *self.registry.processes]

    def install_olm(self, config_dir: Path = PROJECT_DIR / "config") -> None:
        """Apply CRDs, RBAC and admission policies of the project, as they are in `config/`, and wait for the kinds.

        A second call does nothing.
        Raises: DevClusterError when a folder is missing or the API server refuses a manifest.
        """
        if self._olm_installed:
            return
        crds, rbac, admission = (_manifests_in(config_dir / folder) for folder in ("crd", "rbac", "admission"))
        self.kubectl.apply_files([*crds, *rbac, *admission])
        files = [argument for path in crds for argument in ("-f", str(path))]
        self.kubectl.run("wait", "--for=condition=Established", "--timeout=150s", *files)
        if self.control_plane:
            self.control_plane.start_controllers()
        self._olm_installed = True

    def ensure_namespace(self, name: str) -> None:
        """Create a namespace where it is missing."""
        self.kubectl.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def kubeconfig_for(self, namespace: str, service_account: str) -> Path:
        """A kubeconfig file for a ServiceAccount, with a token that the API server issued for a day.

        Raises: DevClusterError when the account does not exist.
        """
        token = self.kubectl.run(
            "create", "token", service_account, "--namespace", namespace, f"--duration={_TOKEN_DURATION}"
        )
        viewed = self.kubectl.run("config", "view", "--minify", "--raw", "--flatten", "-o", "json")
        content = kubeconfig_of(endpoint_of(viewed), token_user(token.strip()), namespace=namespace)
        return self.workspace.write(f"accounts/{namespace}.{service_account}.kubeconfig", content)

    def stop(self) -> None:
        """Kill every process of this cluster and remove a temporary folder; a second call does nothing."""
        self.workspace.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _required(plane: ControlPlane | None) -> ControlPlane:
    if plane is None:
        raise DevClusterError("this needs a control plane that was started here, not the cluster of KUBECONFIG")
    return plane


def _manifests_in(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.glob("*.yaml") if path.name != "kustomization.yaml")
    if not found:
        raise DevClusterError(f"no manifests in {folder}")
    return found
