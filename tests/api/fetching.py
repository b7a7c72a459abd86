"""GET requests of a test to the servers of a component: over TLS that is verified, without any proxy."""

from __future__ import annotations

import ssl
import urllib.request
from pathlib import Path

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component

__all__ = ["fetch", "metrics_of"]


def fetch(url: str, authority: Path | None = None, **headers: str) -> str:
    context = ssl.create_default_context(cafile=str(authority)) if authority else None
    handlers = [urllib.request.ProxyHandler({}), *([urllib.request.HTTPSHandler(context=context)] if context else [])]
    opener = urllib.request.build_opener(*handlers)
    with opener.open(urllib.request.Request(url, headers=headers), timeout=10) as answer:
        text: str = answer.read().decode()
        return text


def metrics_of(cluster: Cluster, component: Component, authority: Path | None = None) -> str:
    """The metrics page of the component, asked for as an account that may read it.

    `authority` is what to trust instead of the cluster's.
    """
    kubectl = cluster.kubectl
    kubectl.apply(
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "scraper", "namespace": SYSTEM_NAMESPACE}},
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "scraper"},
            "rules": [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}],
        },
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "scraper"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "scraper"},
            "subjects": [{"kind": "ServiceAccount", "name": "scraper", "namespace": SYSTEM_NAMESPACE}],
        },
    )
    token = kubectl.run("create", "token", "scraper", "-n", SYSTEM_NAMESPACE).strip()
    trusted = authority or cluster.registry.authority_file
    return fetch(component.metrics_url, trusted, Authorization=f"Bearer {token}")
