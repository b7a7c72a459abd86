"""Where objects of a chart live: Helm gives those without a namespace the one of the release, if their kind has any.

A kind's scope is known from the CRDs of the chart itself, from the cluster, and from a table of built-in kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from olmv1.manifests import Manifest, key_of
from olmv1.served import Served

__all__ = ["placed"]

_CLUSTER_SCOPED = frozenset(
    {
        ("", "Namespace"),
        ("", "Node"),
        ("", "PersistentVolume"),
        ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"),
        ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"),
        ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
        ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "APIService"),
        ("cert-manager.io", "ClusterIssuer"),
        ("certificates.k8s.io", "CertificateSigningRequest"),
        ("certificates.k8s.io", "ClusterTrustBundle"),
        ("console.openshift.io", "ConsoleCLIDownload"),
        ("console.openshift.io", "ConsoleLink"),
        ("console.openshift.io", "ConsolePlugin"),
        ("console.openshift.io", "ConsoleQuickStart"),
        ("console.openshift.io", "ConsoleYAMLSample"),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
        ("gateway.networking.k8s.io", "GatewayClass"),
        ("networking.k8s.io", "IngressClass"),
        ("networking.k8s.io", "IPAddress"),
        ("networking.k8s.io", "ServiceCIDR"),
        ("node.k8s.io", "RuntimeClass"),
        ("olm.operatorframework.io", "ClusterCatalog"),
        ("olm.operatorframework.io", "ClusterExtension"),
        ("olm.operatorframework.io", "ClusterObjectSet"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
        ("resource.k8s.io", "DeviceClass"),
        ("resource.k8s.io", "ResourceSlice"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("security.openshift.io", "SecurityContextConstraints"),
        ("snapshot.storage.k8s.io", "VolumeSnapshotClass"),
        ("storage.k8s.io", "CSIDriver"),
        ("storage.k8s.io", "CSINode"),
        ("storage.k8s.io", "StorageClass"),
        ("storage.k8s.io", "VolumeAttachment"),
        ("storage.k8s.io", "VolumeAttributesClass"),
    }
)
_GroupKind = tuple[str, str]


def placed(objects: Iterable[Manifest], namespace: str, served: Served) -> tuple[Manifest, ...]:
    """The objects with a namespace where their kind has one, `namespace` by default, and without where it has none."""
    given = tuple(objects)
    own = {group_kind: is_namespaced for manifest in given for group_kind, is_namespaced in _defined_by(manifest)}

    def is_namespaced(group_kind: _GroupKind) -> bool:
        if group_kind in own:
            return own[group_kind]
        return group_kind not in _CLUSTER_SCOPED and group_kind not in served.cluster_scoped

    return tuple(_placed(manifest, namespace if is_namespaced(_group_kind(manifest)) else None) for manifest in given)


def _placed(manifest: Manifest, namespace: str | None) -> Manifest:
    metadata = dict(manifest.get("metadata") or {})
    found = metadata.pop("namespace", None)
    if namespace is not None:
        metadata["namespace"] = found or namespace
    elif found is None:
        return manifest
    return {**manifest, "metadata": metadata}


def _group_kind(manifest: Manifest) -> _GroupKind:
    key = key_of(manifest)
    return (key.group, key.kind)


def _defined_by(manifest: Manifest) -> Iterable[tuple[_GroupKind, bool]]:
    """The kind that a CRD defines, and whether it has a namespace."""
    if _group_kind(manifest) != ("apiextensions.k8s.io", "CustomResourceDefinition"):
        return
    spec: Any = manifest.get("spec")
    names = spec.get("names") if isinstance(spec, dict) else None
    if isinstance(names, dict):
        yield (str(spec.get("group")), str(names.get("kind"))), spec.get("scope") != "Cluster"
