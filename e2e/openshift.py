"""As much of OpenShift as the upgrade gate looks at: the CRDs ClusterOperator and ClusterVersion, and a version."""

from __future__ import annotations

import json
from typing import Any

from e2e.world import World

__all__ = ["become_openshift", "forget_openshift", "platform_crd", "set_version"]

_KINDS = {"clusteroperators": "ClusterOperator", "clusterversions": "ClusterVersion"}


def become_openshift(world: World, version: str) -> None:
    """Give the cluster both kinds, and say that it runs this version of OpenShift."""
    for plural, kind in _KINDS.items():
        world.kubectl.apply(platform_crd(plural, kind))
    for plural in _KINDS:
        world.kubectl.run("wait", "--for=condition=Established", f"crd/{plural}.config.openshift.io", "--timeout=150s")
    set_version(world, version)


def forget_openshift(world: World) -> None:
    """Take both kinds away again."""
    for plural in _KINDS:
        world.kubectl.delete("crd", f"{plural}.config.openshift.io")


def set_version(world: World, *completed: str) -> None:
    """The versions that the cluster has come through, newest first."""
    head = {"apiVersion": "config.openshift.io/v1", "kind": "ClusterVersion", "metadata": {"name": "version"}}
    world.kubectl.apply({**head, "spec": {"clusterID": "0"}})
    history = [{"state": "Completed", "version": version} for version in completed]
    patch = json.dumps({"status": {"history": history, "desired": {"version": completed[0]}}})
    world.kubectl.run("patch", "clusterversion", "version", "--subresource=status", "--type=merge", "-p", patch)


def platform_crd(plural: str, kind: str) -> dict[str, Any]:
    """A minimal CRD of a kind of OpenShift, with conditions as a map."""
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    conditions = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "type": "object",
            "required": ["type", "status", "lastTransitionTime"],
            "properties": {name: {"type": "string"} for name in ("type", "status", "reason", "message")}
            | {"lastTransitionTime": {"type": "string", "format": "date-time"}},
        },
    }
    status = {**anything, "properties": {"conditions": conditions}}
    schema = {"type": "object", "required": ["spec"], "properties": {"spec": anything, "status": status}}
    version = {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.config.openshift.io"},
        "spec": {
            "group": "config.openshift.io",
            "scope": "Cluster",
            "names": {"plural": plural, "singular": plural[:-1], "kind": kind, "listKind": f"{kind}List"},
            "versions": [{**version, "schema": {"openAPIV3Schema": schema}}],
        },
    }
