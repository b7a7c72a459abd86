"""Which phase of a rollout an object belongs to, and in which order.

Rule: revisions.md 2: phases by group and kind, unknown kinds in `deploy`; inside a phase by group, version, kind,
namespace, name. Custom resources that a webhook of the bundle is called for come last, in `guarded`. A phase of more
than `MAX_OBJECTS` is split into `crds`, `crds-2`, … (revisions.md 9 row 19).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from olmv1.errors import TerminalError
from olmv1.manifests import Manifest, ObjectKey, key_of
from operator_controller.revisions.guards import guarded_keys

__all__ = ["MAX_OBJECTS", "MAX_PHASES", "Phase", "sort_into_phases"]

MAX_OBJECTS = 50
"""Objects in one phase (`maxItems` in the CRD)."""

MAX_PHASES = 64
"""Phases in one revision (`maxItems` in our CRD): room for 1,000 objects of any mix of kinds."""

_GUARDED = "guarded"
_CERT_MANAGER, _MONITORING, _CONSOLE = "cert-manager.io", "monitoring.coreos.com", "console.openshift.io"

_PHASES: tuple[tuple[str, frozenset[tuple[str, str]]], ...] = (
    ("namespaces", frozenset({("", "Namespace")})),
    (
        "policies",
        frozenset(
            {
                ("networking.k8s.io", "NetworkPolicy"),
                ("policy", "PodDisruptionBudget"),
                ("scheduling.k8s.io", "PriorityClass"),
            }
        ),
    ),
    ("identity", frozenset({("", "ServiceAccount")})),
    ("configuration", frozenset({("", "Secret"), ("", "ConfigMap"), ("operators.coreos.com", "OperatorCondition")})),
    (
        "storage",
        frozenset({("", "PersistentVolume"), ("", "PersistentVolumeClaim"), ("storage.k8s.io", "StorageClass")}),
    ),
    ("crds", frozenset({("apiextensions.k8s.io", "CustomResourceDefinition")})),
    ("roles", frozenset({("rbac.authorization.k8s.io", "ClusterRole"), ("rbac.authorization.k8s.io", "Role")})),
    (
        "bindings",
        frozenset({("rbac.authorization.k8s.io", "ClusterRoleBinding"), ("rbac.authorization.k8s.io", "RoleBinding")}),
    ),
    ("infrastructure", frozenset({("", "Service"), (_CERT_MANAGER, "Issuer"), (_CERT_MANAGER, "Certificate")})),
    ("deploy", frozenset({("apps", "Deployment")})),
    ("scaling", frozenset({("autoscaling.k8s.io", "VerticalPodAutoscaler")})),
    (
        "publish",
        frozenset(
            {
                (_MONITORING, "PrometheusRule"),
                (_MONITORING, "ServiceMonitor"),
                (_MONITORING, "PodMonitor"),
                ("networking.k8s.io", "Ingress"),
                ("route.openshift.io", "Route"),
                (_CONSOLE, "ConsoleYAMLSample"),
                (_CONSOLE, "ConsoleQuickStart"),
                (_CONSOLE, "ConsoleCLIDownload"),
                (_CONSOLE, "ConsoleLink"),
                (_CONSOLE, "ConsolePlugin"),
            }
        ),
    ),
    (
        "admission",
        frozenset(
            {
                ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
                ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
            }
        ),
    ),
    (_GUARDED, frozenset()),
)

_PHASE_OF = {group_kind: name for name, members in _PHASES for group_kind in members}


@dataclass(frozen=True, slots=True)
class Phase:
    """Objects that are applied together; the next phase starts when all of them are complete."""

    name: str
    objects: tuple[Manifest, ...]


def sort_into_phases(objects: Iterable[Manifest]) -> tuple[Phase, ...]:
    """The phases of a revision with these objects, empty ones left out; of equal objects one is kept.

    Raises:
        TerminalError: two objects of one identity differ, or more than `MAX_PHASES` phases would be needed.
    """
    objects = tuple(objects)
    guarded = guarded_keys(objects)
    members: defaultdict[str, list[Manifest]] = defaultdict(list)
    known: dict[ObjectKey, Manifest] = {}
    for manifest in objects:
        key = key_of(manifest)
        if known.setdefault(key, manifest) is not manifest:
            if known[key] != manifest:
                raise TerminalError(f"bundle has two different objects of one identity: {key}")
            continue
        usual = _GUARDED if key in guarded else "deploy"
        members[_PHASE_OF.get((key.group, key.kind), usual)].append(manifest)
    phases = tuple(part for name, _ in _PHASES if members[name] for part in _split(name, members[name]))
    if len(phases) > MAX_PHASES:
        total = sum(len(phase.objects) for phase in phases)
        raise TerminalError(f"bundle has {total} objects in {len(phases)} phases: at most {MAX_PHASES} phases fit")
    return phases


def _split(name: str, objects: list[Manifest]) -> Iterable[Phase]:
    ordered = sorted(objects, key=key_of)
    for number, start in enumerate(range(0, len(ordered), MAX_OBJECTS), start=1):
        yield Phase(name if number == 1 else f"{name}-{number}", tuple(ordered[start : start + MAX_OBJECTS]))
