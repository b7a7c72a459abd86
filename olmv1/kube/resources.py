"""What the API server serves under which path: one value per resource type.

Called by every shell room that names a resource; pure values, no I/O. Kinds that are not known when the program is
written come from `olmv1.kube.discovery`.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

__all__ = [
    "API_SERVICES",
    "CLUSTER_CATALOGS",
    "CLUSTER_EXTENSIONS",
    "CLUSTER_OBJECT_SETS",
    "CLUSTER_ROLES",
    "CLUSTER_ROLE_BINDINGS",
    "CONFIG_MAPS",
    "CUSTOM_RESOURCE_DEFINITIONS",
    "DEPLOYMENTS",
    "EVENTS",
    "LEASES",
    "NAMESPACES",
    "PODS",
    "ROLES",
    "ROLE_BINDINGS",
    "Resource",
    "SECRETS",
    "SERVICES",
    "SERVICE_ACCOUNTS",
]


@dataclass(frozen=True, slots=True, order=True)
class Resource:
    """One resource type: `plural` is what paths say, `kind` is what manifests say; the core group is empty."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        """`<group>/<version>`, or only the version for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str | None = None, name: str | None = None, subresource: str | None = None) -> str:
        """The URL path of the collection, of one object, or of a part of it.

        Without `namespace` the collection spans all namespaces; a namespace is ignored for cluster-scoped types.

        Raises:
            ValueError: an object of a namespaced type is named without its namespace.
        """
        parts = ["apis", self.group, self.version] if self.group else ["api", self.version]
        if self.namespaced and namespace:
            parts += ["namespaces", _segment(namespace)]
        elif self.namespaced and name:
            raise ValueError(f'{self.kind} "{name}" is namespaced: expected a namespace, found none')
        parts.append(self.plural)
        parts += [_segment(part) for part in (name, subresource) if part]
        return "/" + "/".join(parts)


def _segment(text: str) -> str:
    return quote(text, safe=":")


_OLM = "olm.operatorframework.io"
_RBAC = "rbac.authorization.k8s.io"

CLUSTER_EXTENSIONS = Resource(_OLM, "v1", "clusterextensions", "ClusterExtension", namespaced=False)
CLUSTER_CATALOGS = Resource(_OLM, "v1", "clustercatalogs", "ClusterCatalog", namespaced=False)
CLUSTER_OBJECT_SETS = Resource(_OLM, "v1", "clusterobjectsets", "ClusterObjectSet", namespaced=False)
SECRETS = Resource("", "v1", "secrets", "Secret", namespaced=True)
CONFIG_MAPS = Resource("", "v1", "configmaps", "ConfigMap", namespaced=True)
SERVICE_ACCOUNTS = Resource("", "v1", "serviceaccounts", "ServiceAccount", namespaced=True)
SERVICES = Resource("", "v1", "services", "Service", namespaced=True)
PODS = Resource("", "v1", "pods", "Pod", namespaced=True)
NAMESPACES = Resource("", "v1", "namespaces", "Namespace", namespaced=False)
DEPLOYMENTS = Resource("apps", "v1", "deployments", "Deployment", namespaced=True)
LEASES = Resource("coordination.k8s.io", "v1", "leases", "Lease", namespaced=True)
EVENTS = Resource("events.k8s.io", "v1", "events", "Event", namespaced=True)
CUSTOM_RESOURCE_DEFINITIONS = Resource(
    "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", namespaced=False
)
API_SERVICES = Resource("apiregistration.k8s.io", "v1", "apiservices", "APIService", namespaced=False)
ROLES = Resource(_RBAC, "v1", "roles", "Role", namespaced=True)
CLUSTER_ROLES = Resource(_RBAC, "v1", "clusterroles", "ClusterRole", namespaced=False)
ROLE_BINDINGS = Resource(_RBAC, "v1", "rolebindings", "RoleBinding", namespaced=True)
CLUSTER_ROLE_BINDINGS = Resource(_RBAC, "v1", "clusterrolebindings", "ClusterRoleBinding", namespaced=False)
