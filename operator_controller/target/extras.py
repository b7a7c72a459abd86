"""Extras of ours on a ClusterExtension: annotations unknown to the Go reference. Rule: architecture section 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from olmv1.api.names import ANNOTATION_DEPENDENCIES, EXTRAS_PREFIX
from operator_controller.approval import ANNOTATION_APPROVE, ANNOTATION_UPGRADE_POLICY, UpgradePolicy
from operator_controller.chart import ANNOTATION_CHART_HOOKS, IGNORE_HOOKS
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.uninstall import ANNOTATION_CONFIRM_DELETE_CRDS, ANNOTATION_ON_DELETE, OnDelete

__all__ = [
    "ANNOTATION_ADOPT",
    "ANNOTATION_API_ROLES",
    "ANNOTATION_HOLD_MAJOR",
    "ANNOTATION_PAUSED",
    "ANNOTATION_REQUESTED_AT",
    "Additions",
    "additions_of",
    "adoption_of",
    "holds_major",
    "is_paused",
    "request_in",
    "strange_extras",
]

ANNOTATION_ADOPT = f"{EXTRAS_PREFIX}adopt"
"""`IfUnowned`: objects that exist already and that no controller holds are taken over. Rule: revisions.md 5.3."""

ANNOTATION_HOLD_MAJOR = f"{EXTRAS_PREFIX}hold-major"
"""`"true"`: edges that cross a major version are not followed. Rule: decision 4."""

ANNOTATION_API_ROLES = f"{EXTRAS_PREFIX}api-roles"
"""`"true"`: roles for the users of the provided APIs are made as well. Rule: decision 15."""

ANNOTATION_PAUSED = f"{EXTRAS_PREFIX}paused"
"""`"true"`: nothing is resolved, applied or repaired; deletion goes on. Rule: clusterextension.md 15 row 19."""

ANNOTATION_REQUESTED_AT = f"{EXTRAS_PREFIX}requested-at"
"""Any text, new each time: look again now, and take a replaced image of the same bundle. Rule: decision 7."""

_LONGEST_REQUEST = 256

_KNOWN: Mapping[str, tuple[str, ...]] = {
    ANNOTATION_ADOPT: ("IfUnowned",),
    ANNOTATION_API_ROLES: ("true", "false"),
    ANNOTATION_CHART_HOOKS: (IGNORE_HOOKS,),
    ANNOTATION_DEPENDENCIES: ("Check", "Warn", "Ignore"),
    ANNOTATION_CONFIRM_DELETE_CRDS: ("true", "false"),
    ANNOTATION_HOLD_MAJOR: ("true", "false"),
    ANNOTATION_ON_DELETE: tuple(OnDelete),
    ANNOTATION_PAUSED: ("true", "false"),
    ANNOTATION_UPGRADE_POLICY: tuple(UpgradePolicy),
}

_COUNTS_AS = {ANNOTATION_UPGRADE_POLICY: f"counts as {UpgradePolicy.MANUAL}"}

_FREE = frozenset({ANNOTATION_APPROVE, ANNOTATION_CRD_ACCEPT, ANNOTATION_REQUESTED_AT})
"""Extras whose values are a language of their own; what reads them says what is wrong."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What shapes the objects of a rollout beside its bundle and its configuration."""

    has_api_roles: bool = False
    ignores_hooks: bool = False
    proxy: Mapping[str, str] = field(default_factory=dict)
    """The environment of the cluster's proxy."""
    collision_protection: str = "Prevent"
    """What may be taken over; it shapes no object, so a revision that has succeeded needs no other for it."""

    def to_json(self) -> Mapping[str, object]:
        """Only what differs from the default, so that nobody is rolled out anew for a choice that was not made."""
        found = {"apiRoles": self.has_api_roles, "chartHooksIgnored": self.ignores_hooks, "proxy": dict(self.proxy)}
        return {name: value for name, value in found.items() if value}


def additions_of(annotations: Mapping[str, str], proxy: Mapping[str, str]) -> Additions:
    """The additions that an extension asks for on a cluster with this proxy."""
    return Additions(
        has_api_roles=annotations.get(ANNOTATION_API_ROLES) == "true",
        ignores_hooks=annotations.get(ANNOTATION_CHART_HOOKS) == IGNORE_HOOKS,
        proxy=proxy,
        collision_protection=adoption_of(annotations),
    )


def adoption_of(annotations: Mapping[str, str]) -> str:
    """What the next revision may take over, as the collision protection of its ClusterObjectSet."""
    is_wanted = annotations.get(ANNOTATION_ADOPT) == "IfUnowned"
    return (CollisionProtection.IF_NO_CONTROLLER if is_wanted else CollisionProtection.PREVENT).value


def holds_major(annotations: Mapping[str, str]) -> bool:
    """Whether upgrades to another major version are held back."""
    return annotations.get(ANNOTATION_HOLD_MAJOR) == "true"


def is_paused(annotations: Mapping[str, str]) -> bool:
    """Whether the person wants nothing to be changed for now."""
    return annotations.get(ANNOTATION_PAUSED) == "true"


def request_in(annotations: Mapping[str, str]) -> str:
    """The request of the person, as long as a status holds it; empty without one."""
    return annotations.get(ANNOTATION_REQUESTED_AT, "")[:_LONGEST_REQUEST]


def strange_extras(annotations: Mapping[str, str]) -> Iterator[str]:
    """A sentence for every extra that is unknown or has a value without meaning, by name; none of them is a failure."""
    for name, value in sorted(annotations.items()):
        if not name.startswith(EXTRAS_PREFIX) or name in _FREE:
            continue
        if name not in _KNOWN:
            known = ", ".join(sorted({*_KNOWN, *_FREE}))
            yield f'annotation "{name}" is not known and has no effect: expected one of {known}'
        elif value not in _KNOWN[name]:
            effect = _COUNTS_AS.get(name, "has no effect")
            yield f'annotation "{name}" {effect}: expected one of {", ".join(_KNOWN[name])}, found "{value}"'
