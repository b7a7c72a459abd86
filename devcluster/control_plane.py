"""etcd, the API server, the controller manager, the scheduler and kwok: their command lines and their start order.

Used by `cluster`. Everything listens on loopback with ports of the workspace; etcd listens on a socket in its folder,
so that only the owner reaches it.
"""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from devcluster.certificates import new_private_key_pem
from devcluster.errors import DevClusterError
from devcluster.kubeconfig import Endpoint, certificate_user, kubeconfig_of
from devcluster.processes import Process
from devcluster.waiting import wait_for
from devcluster.workspace import LOOPBACK_NAMES, Workspace

__all__ = ["ControlPlane"]

_HERE = Path(__file__).parent
_SERVICE_RANGE = "10.0.0.0/16"
_SERVICE_NAMES = ("kubernetes", "kubernetes.default", "kubernetes.default.svc", "10.0.0.1")
# below the state folder, which is the working directory: a socket's path is limited to 107 bytes
_ETCD_SOCKET = "etcd.sock:0"
_ETCD_PEER_SOCKET = "etcd-peer.sock:0"
_NODE: Mapping[str, Any] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {
        "name": "node-1",
        "labels": {"kubernetes.io/arch": "amd64", "kubernetes.io/hostname": "node-1", "kubernetes.io/os": "linux"},
    },
    "status": {
        "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "10000"},
        "allocatable": {"cpu": "1000", "memory": "1Ti", "pods": "10000"},
    },
}


class ControlPlane:
    """The running programs of one control plane, ready to run pods."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._port = workspace.ports.reserve()
        self.audit_path = workspace.state_dir / "audit.log"
        self.endpoint = Endpoint.of(f"https://127.0.0.1:{self._port}", workspace.authority.pair.certificate)
        self.processes: dict[str, Process] = {}
        self.kubeconfig = self._kubeconfig("admin", "system:masters")
        workspace.write("pki/service-accounts.key", new_private_key_pem())
        workspace.write_pair("authority", workspace.authority.pair)
        workspace.write_pair("admin", workspace.authority.issue("admin", organizations=["system:masters"]))
        workspace.write_pair(
            "apiserver", workspace.authority.issue("apiserver", hosts=(*LOOPBACK_NAMES, *_SERVICE_NAMES))
        )
        self._tls = ssl.create_default_context(cafile=str(workspace.authority_file))
        self._tls.load_cert_chain(workspace.state_dir / "pki/admin.crt", workspace.state_dir / "pki/admin.key")

    def start(self) -> None:
        """Start everything and wait until pods can run.

        Raises: DevClusterError with the end of the log of the program that failed.
        """
        self._spawn("etcd", self._etcd_flags())
        socket = self._workspace.state_dir / _ETCD_SOCKET
        wait_for(socket.exists, "etcd to listen", timeout_s=20, needs=[self.processes["etcd"]])
        self._spawn("kube-apiserver", self._apiserver_flags())
        wait_for(self._is_ready, "the API server to be ready", timeout_s=60, needs=self._needed())
        self._spawn("kwok", self._kwok_flags())
        self.start_controllers()
        self._spawn("kube-scheduler", self._scheduler_flags())
        self._request("POST", "/api/v1/nodes", _NODE)
        wait_for(self._can_run_pods, "the node and the default service account", timeout_s=60, needs=self._needed())

    def start_controllers(self) -> None:
        """Start the controller manager, killing the one that runs.

        A fresh one knows every CustomResourceDefinition; a running one learns of new kinds for garbage collection
        only every 30 seconds.
        """
        running = self.processes.get("kube-controller-manager")
        if running:
            running.signal(9)
            running.wait(10)
        self._spawn("kube-controller-manager", self._controller_manager_flags())

    def _spawn(self, name: str, flags: Mapping[str, object]) -> None:
        arguments = [f"--{flag}={value}" for flag, value in flags.items()]
        self.processes[name] = self._workspace.spawn(name, [self._workspace.binaries.path(name), *arguments])

    def _needed(self) -> list[Process]:
        return list(self.processes.values())

    def _kubeconfig(self, user: str, *groups: str) -> Path:
        pair = self._workspace.authority.issue(user, organizations=groups)
        return self._workspace.write(
            f"{user.removeprefix('system:')}.kubeconfig", kubeconfig_of(self.endpoint, certificate_user(pair))
        )

    def _etcd_flags(self) -> dict[str, object]:
        return {
            "name": "devcluster",
            "data-dir": "etcd",
            "listen-client-urls": f"unix://{_ETCD_SOCKET}",
            "advertise-client-urls": f"unix://{_ETCD_SOCKET}",
            "listen-peer-urls": f"unix://{_ETCD_PEER_SOCKET}",
            "initial-advertise-peer-urls": "http://localhost:1",
            "initial-cluster": "devcluster=http://localhost:1",
            "unsafe-no-fsync": "true",
            "log-level": "warn",
        }

    def _apiserver_flags(self) -> dict[str, object]:
        pki = self._workspace.state_dir / "pki"
        return {
            "etcd-servers": f"unix://{_ETCD_SOCKET}",
            "bind-address": "127.0.0.1",
            "secure-port": self._port,
            # else the server looks for the address of a network interface, which a machine may not have
            "advertise-address": "127.0.0.1",
            "tls-cert-file": pki / "apiserver.crt",
            "tls-private-key-file": pki / "apiserver.key",
            "client-ca-file": self._workspace.authority_file,
            "authorization-mode": "RBAC",
            "service-account-issuer": "https://kubernetes.default.svc",
            "service-account-signing-key-file": pki / "service-accounts.key",
            "service-account-key-file": pki / "service-accounts.key",
            "service-cluster-ip-range": _SERVICE_RANGE,
            # an endpoint on loopback is not allowed, and nothing here needs the Service of the API server
            "endpoint-reconciler-type": "none",
            "allow-privileged": "true",
            "audit-log-path": self.audit_path,
            "audit-log-maxsize": 0,
            "audit-policy-file": _HERE / "audit_policy.yaml",
            "profiling": "false",
        }

    def _controller_manager_flags(self) -> dict[str, object]:
        pki = self._workspace.state_dir / "pki"
        return {
            **self._client_flags("system:kube-controller-manager"),
            "controllers": "*,-cloud-node-lifecycle-controller,-node-route-controller,-service-lb-controller",
            "use-service-account-credentials": "true",
            "service-account-private-key-file": pki / "service-accounts.key",
            "root-ca-file": self._workspace.authority_file,
            "cluster-signing-cert-file": pki / "authority.crt",
            "cluster-signing-key-file": pki / "authority.key",
            # kwok keeps no node lease: without this the node is declared lost after 50 s, and its pods never come back.
            "node-monitor-grace-period": "24h",
        }

    def _scheduler_flags(self) -> dict[str, object]:
        return self._client_flags("system:kube-scheduler")

    def _client_flags(self, user: str) -> dict[str, object]:
        """Flags that scheduler and controller manager share: no server of their own, no election, no throttle."""
        kubeconfig = self._kubeconfig(user)
        flags: dict[str, object] = {"leader-elect": "false", "secure-port": 0, "profiling": "false"}
        return {"kubeconfig": kubeconfig, **flags, "kube-api-qps": 1000, "kube-api-burst": 2000}

    def _kwok_flags(self) -> dict[str, object]:
        return {"kubeconfig": self.kubeconfig, "manage-all-nodes": "true", "config": _HERE / "stages.yaml"}

    def _is_ready(self) -> bool:
        return self._request("GET", "/readyz") is not None

    def _can_run_pods(self) -> bool:
        node = self._request("GET", "/api/v1/nodes/node-1")
        account = self._request("GET", "/api/v1/namespaces/default/serviceaccounts/default")
        if node is None or account is None:
            return False
        ready = [c["status"] for c in node["status"].get("conditions", ()) if c["type"] == "Ready"]
        return ready == ["True"] and not node["spec"].get("taints")

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
        """The answer, `{}` where it is not JSON; `None` where server or object are not there, or not ready."""
        request = urllib.request.Request(  # noqa: S310 - the URL is ours
            f"{self.endpoint.server}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "User-Agent": "devcluster"},
        )
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self._tls)
        )
        try:
            with opener.open(request, timeout=10) as response:
                text = response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                if method != "GET":
                    raise DevClusterError(f"{method} {path}: {refused.read().decode(errors='replace')}") from refused
            return None
        except OSError:
            return None
        with suppress(ValueError):
            answer = json.loads(text)
            if isinstance(answer, dict):
                return answer
        return {}
