"""Which members of the Kubernetes types in `deploymentConfig` must be given.

From the Kubernetes OpenAPI document, for the types that the configuration reaches. Rule: bundle-rendering.md 7.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["REQUIRED_MEMBERS"]

REQUIRED_MEMBERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "AWSElasticBlockStoreVolumeSource": ("volumeID",),
        "AzureDiskVolumeSource": ("diskName", "diskURI"),
        "AzureFileVolumeSource": ("secretName", "shareName"),
        "CSIVolumeSource": ("driver",),
        "CephFSVolumeSource": ("monitors",),
        "CinderVolumeSource": ("volumeID",),
        "ClusterTrustBundleProjection": ("path",),
        "ConfigMapKeySelector": ("key",),
        "DownwardAPIVolumeFile": ("path",),
        "EnvVar": ("name",),
        "FileKeySelector": ("volumeName", "path", "key"),
        "FlexVolumeSource": ("driver",),
        "GCEPersistentDiskVolumeSource": ("pdName",),
        "GitRepoVolumeSource": ("repository",),
        "GlusterfsVolumeSource": ("endpoints", "path"),
        "HostPathVolumeSource": ("path",),
        "ISCSIVolumeSource": ("targetPortal", "iqn", "lun"),
        "KeyToPath": ("key", "path"),
        "LabelSelectorRequirement": ("key", "operator"),
        "NFSVolumeSource": ("server", "path"),
        "NodeSelector": ("nodeSelectorTerms",),
        "NodeSelectorRequirement": ("key", "operator"),
        "ObjectFieldSelector": ("fieldPath",),
        "OwnerReference": ("apiVersion", "kind", "name", "uid"),
        "PersistentVolumeClaimTemplate": ("spec",),
        "PersistentVolumeClaimVolumeSource": ("claimName",),
        "PhotonPersistentDiskVolumeSource": ("pdID",),
        "PodAffinityTerm": ("topologyKey",),
        "PodCertificateProjection": ("signerName", "keyType"),
        "PortworxVolumeSource": ("volumeID",),
        "PreferredSchedulingTerm": ("weight", "preference"),
        "QuobyteVolumeSource": ("registry", "volume"),
        "RBDVolumeSource": ("monitors", "image"),
        "ResourceClaim": ("name",),
        "ResourceFieldSelector": ("resource",),
        "ScaleIOVolumeSource": ("gateway", "system", "secretRef"),
        "SecretKeySelector": ("key",),
        "ServiceAccountTokenProjection": ("path",),
        "TypedLocalObjectReference": ("kind", "name"),
        "TypedObjectReference": ("kind", "name"),
        "Volume": ("name",),
        "VolumeMount": ("name", "mountPath"),
        "VsphereVirtualDiskVolumeSource": ("volumePath",),
        "WeightedPodAffinityTerm": ("weight", "podAffinityTerm"),
    }
)
