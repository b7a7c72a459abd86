"""People who write extensions and sets without being administrators, and what the API server tells them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from tests.api.operators import PREFIX

__all__ = ["ADMISSION", "INSTALLERS", "Person", "an_extension", "granting", "role_for", "writers_of_extensions"]

ADMISSION = PROJECT_DIR / "config" / "admission"
INSTALLERS = "extension-installers"
"""A group whose members may write extensions and sets, but use no account; the templates speak of it."""

_RBAC = "rbac.authorization.k8s.io"
_DENIED = "denied request: "
_ANSWERS = ("Forbidden", "Invalid", "AlreadyExists", "NotFound")  # anything else is the trouble of a busy machine


@dataclass(frozen=True)
class Person:
    """A user of the cluster, in groups; `system:serviceaccount:…` is a service account."""

    cluster: Cluster
    name: str
    groups: tuple[str, ...] = (INSTALLERS,)

    def create(self, manifest: Mapping[str, Any], *, keep: bool = False) -> str:
        """What the API server says against creating it, empty when it is admitted; it is kept on request only."""
        return self._told("create", "-f", "-", *([] if keep else ["--dry-run=server"]), stdin=manifest)

    def patch(self, resource: str, name: str, patch: Mapping[str, Any], *more: str, keep: bool = False) -> str:
        """What the API server says against a merge patch, empty when it is admitted."""
        dry_run = [] if keep else ["--dry-run=server"]
        return self._told("patch", resource, name, "--type=merge", "-p", json.dumps(patch), *more, *dry_run)

    def delete(self, resource: str, name: str) -> str:
        """What the API server says against deleting it, empty when it is admitted and deleted."""
        return self._told("delete", resource, name, "--wait=false")

    def _told(self, *arguments: str, stdin: Mapping[str, Any] | None = None) -> str:
        groups = [f"--as-group={group}" for group in self.groups]
        given = None if stdin is None else json.dumps(stdin).encode()

        def answer() -> str | None:
            done = self.cluster.kubectl.attempt(*arguments, f"--as={self.name}", *groups, stdin=given)
            told = done.stderr.decode().strip()
            is_answer = done.returncode == 0 or any(f"({reason})" in told for reason in _ANSWERS)
            return (told if done.returncode else "") if is_answer else None

        told = wait_for(answer, f"an answer to {self.name} about {' '.join(arguments)}", timeout_s=60)
        return told.partition(_DENIED)[2] or told


def an_extension(name: str, namespace: str, account: str | None = "installer", **catalog: Any) -> dict[str, Any]:
    """A ClusterExtension of the package `kiosk-operator`; `catalog` goes into `spec.source.catalog`."""
    source = {"sourceType": "Catalog", "catalog": {"packageName": "kiosk-operator", **catalog}}
    named = {} if account is None else {"serviceAccount": {"name": account}}
    spec = {"namespace": namespace, "source": source, **named}
    return {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterExtension", "metadata": {"name": name}, "spec": spec}


def role_for(person: str, namespace: str, account: str, verb: str) -> list[dict[str, Any]]:
    """A Role and its binding that give a user one verb on one service account."""
    metadata = {"name": f"{verb}-{account}", "namespace": namespace}
    rule = {"apiGroups": [""], "resources": ["serviceaccounts"], "resourceNames": [account], "verbs": [verb]}
    reference = {"apiGroup": _RBAC, "kind": "Role", "name": metadata["name"]}
    subject = {"apiGroup": _RBAC, "kind": "User", "name": person}
    return [
        {"apiVersion": f"{_RBAC}/v1", "kind": "Role", "metadata": metadata, "rules": [rule]},
        {
            "apiVersion": f"{_RBAC}/v1",
            "kind": "RoleBinding",
            "metadata": metadata,
            "roleRef": reference,
            "subjects": [subject],
        },
    ]


@contextmanager
def granting(cluster: Cluster, *manifests: Mapping[str, Any]) -> Iterator[None]:
    """These objects are there inside the block, and gone after it."""
    cluster.kubectl.apply(*manifests)
    try:
        yield
    finally:
        for item in manifests:
            metadata = item["metadata"]
            cluster.kubectl.delete(item["kind"], metadata["name"], metadata.get("namespace"), wait=False)


@contextmanager
def writers_of_extensions(cluster: Cluster) -> Iterator[None]:
    """The group `INSTALLERS` may write extensions and sets inside the block."""
    verbs = ["get", "create", "patch", "delete"]
    resources = ["clusterobjectsets", "clusterobjectsets/status", "clusterextensions/status"]
    rules = [{"apiGroups": [PREFIX], "resources": resources, "verbs": verbs}]
    sets = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "test-writes-sets"},
        "rules": rules,
    }
    roles = (("test-writes-sets", "test-writes-sets"), ("test-installs", _INSTALLER_ROLE))
    bindings = [_cluster_binding(name, role) for name, role in roles]
    with granting(cluster, sets, *bindings):
        somebody = Person(cluster, "somebody")
        probe = an_extension("probe", "default")
        wait_for(
            lambda: "may not install as" in somebody.create(probe), "roles and policies to be in force", timeout_s=60
        )
        yield


_INSTALLER_ROLE = "operator-controller-clusterextension-installer-role"


def _cluster_binding(name: str, role: str) -> dict[str, Any]:
    return {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": INSTALLERS}],
    }
