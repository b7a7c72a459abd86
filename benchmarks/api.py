"""The API server as the measuring side uses it: one plain connection, and a watch that tells when something is there.

Small on purpose, so that what it costs is not taken for the product's; it knows nothing of the product.
"""

from __future__ import annotations

import base64
import http.client
import ssl
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from benchmarks.case import MeasuringError
from devcluster.workspace import Workspace

__all__ = ["Api", "Watch", "collection_of"]

_TIMEOUT_S = 60.0
_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_COLLECTIONS = {
    "Namespace": "/api/v1/namespaces",
    "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
    "ConfigMap": "/api/v1/namespaces/{}/configmaps",
    "Service": "/api/v1/namespaces/{}/services",
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "Role": _RBAC + "/namespaces/{}/roles",
    "RoleBinding": _RBAC + "/namespaces/{}/rolebindings",
    "ClusterRole": _RBAC + "/clusterroles",
    "ClusterRoleBinding": _RBAC + "/clusterrolebindings",
    "CustomResourceDefinition": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
}


class Api:
    """A connection to the API server as the user of a kubeconfig; not for several threads."""

    def __init__(self, address: urllib.parse.SplitResult, context: ssl.SSLContext) -> None:
        self._address = address
        self._context = context
        self._connection = self._open()

    @classmethod
    def of(cls, kubeconfig: Path, workspace: Workspace) -> Api:
        """A connection with the certificates of `kubeconfig`, which a cluster of `devcluster` wrote."""
        config = orjson.loads(kubeconfig.read_bytes())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        pair = [
            workspace.write(f"bench/{name}", base64.b64decode(user[name]))
            for name in ("client-certificate-data", "client-key-data")
        ]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        context = ssl.create_default_context(cadata=authority)
        context.load_cert_chain(*map(str, pair))
        return cls(urllib.parse.urlsplit(cluster["server"]), context)

    def another(self) -> Api:
        """A second connection."""
        return Api(self._address, self._context)

    def get(self, path: str) -> dict[str, Any] | None:
        """What is at `path`, or `None` when nothing is."""
        status, body = self._call("GET", path)
        return None if status == 404 else self._object("GET", path, status, body)

    def create(self, path: str, obj: Mapping[str, Any]) -> dict[str, Any]:
        """POST `obj`; what exists already stays as it is."""
        status, body = self._call("POST", path, obj)
        return {} if status == 409 else self._object("POST", path, status, body)

    def merge(self, path: str, patch: Mapping[str, Any]) -> dict[str, Any]:
        """A merge patch."""
        status, body = self._call("PATCH", path, patch, "application/merge-patch+json")
        return self._object("PATCH", path, status, body)

    def delete(self, path: str) -> None:
        """Ask for a deletion; what is not there is fine."""
        status, body = self._call("DELETE", path)
        if status != 404:
            self._object("DELETE", path, status, body)

    @contextmanager
    def watch(self, path: str) -> Iterator[Watch]:
        """The changes of the collection `path` from now on."""
        listed = self.get(f"{path}?limit=1") or {}
        query = urllib.parse.urlencode({"watch": 1, "resourceVersion": listed["metadata"]["resourceVersion"]})
        connection = self._open()
        try:
            connection.request("GET", f"{path}?{query}")
            answer = connection.getresponse()
            if answer.status != 200:
                raise MeasuringError(f"watch {path}: status {answer.status}")
            yield Watch(connection, answer)
        finally:
            connection.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _call(
        self, method: str, path: str, body: object = None, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        content = None if body is None else orjson.dumps(body)
        headers = {"Content-Type": content_type}
        for is_last in (False, True):
            try:
                self._connection.request(method, path, body=content, headers=headers)
                answer = self._connection.getresponse()
                return answer.status, answer.read()
            except (OSError, http.client.HTTPException) as failure:
                self._connection.close()  # the API server closes idle connections; the next request opens a new one
                if is_last:
                    raise MeasuringError(f"{method} {path}: {failure}") from failure
        raise AssertionError("unreachable")

    def _object(self, method: str, path: str, status: int, body: bytes) -> dict[str, Any]:
        if status >= 300:
            raise MeasuringError(f"{method} {path}: status {status}: {body[:300].decode(errors='replace')}")
        found: dict[str, Any] = orjson.loads(body)
        return found

    def _open(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(
            self._address.hostname or "", self._address.port, timeout=_TIMEOUT_S, context=self._context
        )


class Watch:
    """An open watch."""

    def __init__(self, connection: http.client.HTTPSConnection, answer: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._answer = answer

    def until(self, check: Callable[[str, Mapping[str, Any]], bool], what: str, timeout_s: float = 120) -> float:
        """Read changes (type, object) until `check` says that it is reached; the time of `time.monotonic` then."""
        end = time.monotonic() + timeout_s
        while (left := end - time.monotonic()) > 0:
            self._connection.sock.settimeout(left)
            try:
                line = self._answer.readline()
            except TimeoutError:
                break
            if not line:
                raise MeasuringError(f"the watch for {what} ended early")
            event = orjson.loads(line)
            if check(event["type"], event["object"]):
                return time.monotonic()
        raise MeasuringError(f"waited {timeout_s:g} s for {what}")


def collection_of(obj: Mapping[str, Any]) -> str:
    """The path of the collection that an object belongs to."""
    return _COLLECTIONS[obj["kind"]].format(obj["metadata"].get("namespace", ""))
