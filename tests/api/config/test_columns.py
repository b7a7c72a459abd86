"""What `kubectl get` shows of the three kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from devcluster.cluster import Cluster
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_CATALOGS, CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS, Resource

pytestmark = pytest.mark.api

NEVER_UNPACKED = "<invalid>"  # a time in the future: the one value of an age that does not change while we look
FUTURE = "2999-01-01T00:00:00Z"


def conditions(*types: str) -> list[dict[str, str]]:
    known = {"status": "True", "reason": "Succeeded", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    return [{"type": type_, **known} for type_ in types]


@dataclass(frozen=True)
class Shown:
    """An object called `columns`, and what a person sees of it: the titles, and the row without the age."""

    resource: Resource
    spec: Mapping[str, Any]
    status: Mapping[str, Any]
    titles: Sequence[str]
    row: Sequence[str]


CASES = [
    Shown(
        CLUSTER_EXTENSIONS,
        {"namespace": "shop", "source": {"sourceType": "Catalog", "catalog": {"packageName": "till"}}},
        {
            "install": {"bundle": {"name": "till.v1.4.2", "version": "1.4.2"}},
            "conditions": conditions("Installed", "Progressing"),
        },
        ["NAME", "INSTALLED BUNDLE", "VERSION", "INSTALLED", "PROGRESSING", "AGE"],
        ["columns", "till.v1.4.2", "1.4.2", "True", "True"],
    ),
    Shown(
        CLUSTER_CATALOGS,
        {"source": {"type": "Image", "image": {"ref": "registry.example/cat:v1"}}},
        {"lastUnpacked": FUTURE, "conditions": conditions("Serving")},
        ["NAME", "LASTUNPACKED", "SERVING", "AGE"],
        ["columns", NEVER_UNPACKED, "True"],
    ),
    Shown(
        CLUSTER_OBJECT_SETS,
        {"lifecycleState": "Active", "revision": 1, "collisionProtection": "Prevent"},
        {"conditions": conditions("Available", "Progressing")},
        ["NAME", "AVAILABLE", "PROGRESSING", "AGE"],
        ["columns", "True", "True"],
    ),
]


@pytest.mark.parametrize("shown", CASES, ids=lambda shown: shown.resource.kind)
async def test_kubectl_prints_the_columns(cluster: Cluster, client: KubeClient, shown: Shown) -> None:
    resource = shown.resource
    manifest = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {"name": "columns"}}
    await client.create(resource, {**manifest, "spec": shown.spec})
    try:
        await client.patch(resource, "columns", {"status": shown.status}, subresource="status")
        titles, row = cluster.kubectl.run("get", resource.plural, "columns").splitlines()
    finally:
        await client.delete(resource, "columns")
    assert [title.strip() for title in titles.split("  ") if title.strip()] == shown.titles
    assert row.split()[:-1] == shown.row
