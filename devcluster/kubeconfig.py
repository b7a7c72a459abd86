"""Kubeconfig files: written as JSON (which is YAML) for the programs of a cluster, read through `kubectl`.

Used by `control_plane`, `cluster` and `components`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from devcluster.certificates import KeyPair
from devcluster.errors import DevClusterError

__all__ = ["Endpoint", "certificate_user", "endpoint_of", "kubeconfig_of", "token_user"]

_NAME = "devcluster"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An API server: its URL and the `cluster` part of a kubeconfig that reaches it."""

    server: str
    cluster: Mapping[str, Any]

    @classmethod
    def of(cls, server: str, authority: bytes) -> Endpoint:
        """The endpoint at `server` whose certificate is signed by `authority` (PEM)."""
        return cls(server, {"server": server, "certificate-authority-data": base64.b64encode(authority).decode()})


def kubeconfig_of(endpoint: Endpoint, user: Mapping[str, Any], *, namespace: str = "default") -> bytes:
    """A kubeconfig with one context for `user`, which `certificate_user` or `token_user` make."""
    context = {"cluster": _NAME, "user": _NAME, "namespace": namespace}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": _NAME,
        "clusters": [{"name": _NAME, "cluster": dict(endpoint.cluster)}],
        "users": [{"name": _NAME, "user": dict(user)}],
        "contexts": [{"name": _NAME, "context": context}],
    }
    return json.dumps(document, indent=1).encode() + b"\n"


def certificate_user(pair: KeyPair) -> dict[str, str]:
    """The `user` part of a kubeconfig for a client certificate."""
    return {
        "client-certificate-data": base64.b64encode(pair.certificate).decode(),
        "client-key-data": base64.b64encode(pair.key).decode(),
    }


def token_user(token: str) -> dict[str, str]:
    """The `user` part of a kubeconfig for a bearer token."""
    return {"token": token}


def endpoint_of(viewed: str) -> Endpoint:
    """The endpoint of what `kubectl config view --minify --raw --flatten -o json` printed.

    Raises: DevClusterError when it has no cluster.
    """
    clusters = json.loads(viewed).get("clusters") or []
    if not clusters:
        raise DevClusterError("the kubeconfig has no cluster in its current context")
    cluster: Mapping[str, Any] = clusters[0]["cluster"]
    return Endpoint(str(cluster["server"]), cluster)
