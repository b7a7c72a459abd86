"""Which resource stands for a kind, and whether its objects have a namespace.

The CRDs among the objects count first, so that custom resources of the same bundle are known before their CRD is on the
cluster; then what the cluster serves; then the kinds that every cluster has. Rule: applying.md 10 row 17, rbac.md 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from olmv1.manifests import Manifest, ObjectKey, key_of

__all__ = ["KindMap", "MappedKind", "unmapped"]

_BUILT_IN = """
- v1: configmaps ConfigMap, endpoints Endpoints, limitranges LimitRange, persistentvolumeclaims PersistentVolumeClaim,
  pods Pod, podtemplates PodTemplate, replicationcontrollers ReplicationController, resourcequotas ResourceQuota,
  secrets Secret, serviceaccounts ServiceAccount, services Service, *namespaces Namespace, *nodes Node,
  *persistentvolumes PersistentVolume
- admissionregistration.k8s.io: *mutatingwebhookconfigurations MutatingWebhookConfiguration,
  *validatingwebhookconfigurations ValidatingWebhookConfiguration,
  *validatingadmissionpolicies ValidatingAdmissionPolicy,
  *validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding
- apiextensions.k8s.io: *customresourcedefinitions CustomResourceDefinition
- apiregistration.k8s.io: *apiservices APIService
- apps: controllerrevisions ControllerRevision, daemonsets DaemonSet, deployments Deployment, replicasets ReplicaSet,
  statefulsets StatefulSet
- autoscaling: horizontalpodautoscalers HorizontalPodAutoscaler
- autoscaling.k8s.io: verticalpodautoscalers VerticalPodAutoscaler
- batch: cronjobs CronJob, jobs Job
- cert-manager.io: certificates Certificate, issuers Issuer, *clusterissuers ClusterIssuer
- console.openshift.io: *consoleclidownloads ConsoleCLIDownload, *consolelinks ConsoleLink,
  *consoleplugins ConsolePlugin, *consolequickstarts ConsoleQuickStart, *consoleyamlsamples ConsoleYAMLSample
- coordination.k8s.io: leases Lease
- discovery.k8s.io: endpointslices EndpointSlice
- monitoring.coreos.com: podmonitors PodMonitor, prometheusrules PrometheusRule, servicemonitors ServiceMonitor
- monitoring.rhobs: podmonitors PodMonitor, prometheusrules PrometheusRule, servicemonitors ServiceMonitor
- networking.k8s.io: ingresses Ingress, networkpolicies NetworkPolicy, *ingressclasses IngressClass
- operators.coreos.com: operatorconditions OperatorCondition
- policy: poddisruptionbudgets PodDisruptionBudget
- rbac.authorization.k8s.io: roles Role, rolebindings RoleBinding, *clusterroles ClusterRole,
  *clusterrolebindings ClusterRoleBinding
- authorization.openshift.io: roles Role, rolebindings RoleBinding, *clusterroles ClusterRole,
  *clusterrolebindings ClusterRoleBinding
- route.openshift.io: routes Route
- scheduling.k8s.io: *priorityclasses PriorityClass
- storage.k8s.io: *csidrivers CSIDriver, *storageclasses StorageClass
"""
"""Group (`v1`: the core group), then plural and kind; a star: without a namespace."""


@dataclass(frozen=True, slots=True)
class MappedKind:
    """The resource behind a kind as policy rules name it; the core group is empty."""

    group: str
    plural: str
    namespaced: bool


class KindMap:
    """Kinds by group and name; `served` is what a cluster says, empty where none is asked."""

    def __init__(self, served: Iterable[tuple[str, MappedKind]] = ()) -> None:
        self._served = {(mapped.group, kind): mapped for kind, mapped in served}
        self._own: dict[tuple[str, str], MappedKind] = {}

    def with_definitions(self, objects: Iterable[Manifest]) -> KindMap:
        """The same, with the kinds that CRDs among `objects` define before all others."""
        found = KindMap()
        found._served, found._own = self._served, {**self._own, **dict(_defined(objects))}
        return found

    def find(self, key: ObjectKey) -> MappedKind | None:
        """The resource of an object; `None` for a kind that nobody knows."""
        place = (key.group, key.kind)
        return self._own.get(place) or self._served.get(place) or _KNOWN.get(place)

    def knows(self, key: ObjectKey) -> bool:
        """Whether the kind is known without asking a cluster."""
        return self.find(key) is not None


def unmapped(objects: Sequence[Manifest], kinds: KindMap) -> tuple[str, ...]:
    """What is said of each object whose kind nobody knows. Rule: applying.md 4.3."""
    known = kinds.with_definitions(objects)
    keys = [key_of(manifest) for manifest in objects]
    return tuple(
        f"could not get REST mapping for object {index} in manifest with GVK {key.api_version}, Kind={key.kind} "
        f'(name: {key.name}): no matches for kind "{key.kind}" in version "{key.api_version}"'
        for index, key in enumerate(keys)
        if not known.knows(key)
    )


def _defined(objects: Iterable[Manifest]) -> Iterator[tuple[tuple[str, str], MappedKind]]:
    for manifest in objects:
        spec = manifest.get("spec")
        if manifest.get("kind") == "CustomResourceDefinition" and isinstance(spec, Mapping):
            names: Any = spec.get("names") or {}
            group, kind, plural = (
                str(value or "") for value in (spec.get("group"), names.get("kind"), names.get("plural"))
            )
            yield (group, kind), MappedKind(group, plural, spec.get("scope") != "Cluster")


def _read_built_in() -> Iterator[tuple[tuple[str, str], MappedKind]]:
    for line in " ".join(_BUILT_IN.split()).removeprefix("- ").split(" - "):
        name, _, listed = line.partition(": ")
        group = "" if name == "v1" else name
        for each in listed.split(", "):
            plural, kind = each.split(" ")
            yield (group, kind), MappedKind(group, plural.removeprefix("*"), not plural.startswith("*"))


_KNOWN: Mapping[tuple[str, str], MappedKind] = MappingProxyType(dict(_read_built_in()))
