"""Built-in APIs that Kubernetes no longer serves, and from which version on: a table to be continued.

Taken from the deprecated API migration guide of Kubernetes; versions that were never served by default are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from olmv1.manifests import ObjectKey

__all__ = ["RemovedApi", "removed_apis"]


@dataclass(frozen=True, slots=True)
class RemovedApi:
    """`key` is an object of an API that is gone from Kubernetes `since` on; `instead` is empty when nothing follows."""

    key: ObjectKey
    since: tuple[int, int]
    instead: str

    def __str__(self) -> str:
        """`Ingress.networking.k8s.io/v1beta1 shop/till: not served by Kubernetes 1.22 and later, use …`."""
        follows = f"use {self.instead}" if self.instead else "nothing follows it"
        return f"{self.key}: not served by Kubernetes {self.since[0]}.{self.since[1]} and later, {follows}"


_WORKLOADS = "DaemonSet Deployment ReplicaSet StatefulSet"
_TABLE: tuple[tuple[int, str, str, str], ...] = (
    (16, "apps/v1beta1", _WORKLOADS, "apps/v1"),
    (16, "apps/v1beta2", _WORKLOADS, "apps/v1"),
    (16, "extensions/v1beta1", "DaemonSet Deployment ReplicaSet", "apps/v1"),
    (16, "extensions/v1beta1", "NetworkPolicy", "networking.k8s.io/v1"),
    (16, "extensions/v1beta1", "PodSecurityPolicy", ""),
    (
        22,
        "admissionregistration.k8s.io/v1beta1",
        "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
        "admissionregistration.k8s.io/v1",
    ),
    (22, "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "apiextensions.k8s.io/v1"),
    (22, "apiregistration.k8s.io/v1beta1", "APIService", "apiregistration.k8s.io/v1"),
    (22, "certificates.k8s.io/v1beta1", "CertificateSigningRequest", "certificates.k8s.io/v1"),
    (22, "coordination.k8s.io/v1beta1", "Lease", "coordination.k8s.io/v1"),
    (22, "extensions/v1beta1", "Ingress", "networking.k8s.io/v1"),
    (22, "networking.k8s.io/v1beta1", "Ingress IngressClass", "networking.k8s.io/v1"),
    (
        22,
        "rbac.authorization.k8s.io/v1beta1",
        "ClusterRole ClusterRoleBinding Role RoleBinding",
        "rbac.authorization.k8s.io/v1",
    ),
    (22, "scheduling.k8s.io/v1beta1", "PriorityClass", "scheduling.k8s.io/v1"),
    (22, "storage.k8s.io/v1beta1", "CSIDriver CSINode StorageClass VolumeAttachment", "storage.k8s.io/v1"),
    (25, "autoscaling/v2beta1", "HorizontalPodAutoscaler", "autoscaling/v2"),
    (25, "batch/v1beta1", "CronJob", "batch/v1"),
    (25, "discovery.k8s.io/v1beta1", "EndpointSlice", "discovery.k8s.io/v1"),
    (25, "events.k8s.io/v1beta1", "Event", "events.k8s.io/v1"),
    (25, "node.k8s.io/v1beta1", "RuntimeClass", "node.k8s.io/v1"),
    (25, "policy/v1beta1", "PodDisruptionBudget", "policy/v1"),
    (25, "policy/v1beta1", "PodSecurityPolicy", ""),
    (26, "autoscaling/v2beta2", "HorizontalPodAutoscaler", "autoscaling/v2"),
    (
        26,
        "flowcontrol.apiserver.k8s.io/v1beta1",
        "FlowSchema PriorityLevelConfiguration",
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    (27, "storage.k8s.io/v1beta1", "CSIStorageCapacity", "storage.k8s.io/v1"),
    (
        29,
        "flowcontrol.apiserver.k8s.io/v1beta2",
        "FlowSchema PriorityLevelConfiguration",
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    (
        32,
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "FlowSchema PriorityLevelConfiguration",
        "flowcontrol.apiserver.k8s.io/v1",
    ),
)
"""The minor version of Kubernetes 1 that serves it no longer, the API, its kinds, and what follows it."""

_GONE: Mapping[tuple[str, str], tuple[tuple[int, int], str]] = {
    (api, kind): ((1, minor), instead) for minor, api, kinds, instead in _TABLE for kind in kinds.split()
}


def removed_apis(objects: Iterable[ObjectKey], kubernetes: tuple[int, int]) -> tuple[RemovedApi, ...]:
    """The objects that this version of Kubernetes does not know any more, in their order."""
    return tuple(_removed(objects, kubernetes))


def _removed(objects: Iterable[ObjectKey], kubernetes: tuple[int, int]) -> Iterator[RemovedApi]:
    for key in objects:
        since, instead = _GONE.get((key.api_version, key.kind), (None, ""))
        if since is not None and since <= kubernetes:
            yield RemovedApi(key, since, instead)
