"""Extras of ours on a ClusterExtension: annotations unknown to the Go reference. Rule: architecture section 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from olmv1.api.names import ANNOTATION_DEPENDENCIES, EXTRAS_PREFIX
from operator_controller.chart import ANNOTATION_CHART_HOOKS, IGNORE_HOOKS
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT

__all__ = [
    "ANNOTATION_API_ROLES",
    "ANNOTATION_HOLD_MAJOR",
    "Additions",
    "additions_of",
    "holds_major",
    "strange_extras",
]

ANNOTATION_HOLD_MAJOR = f"{EXTRAS_PREFIX}hold-major"
"""`"true"`: edges that cross a major version are not followed. Rule: decision 4."""

ANNOTATION_API_ROLES = f"{EXTRAS_PREFIX}api-roles"
"""`"true"`: roles for the users of the provided APIs are made as well. Rule: decision 15."""

_KNOWN: Mapping[str, tuple[str, ...]] = {
    ANNOTATION_API_ROLES: ("true", "false"),
    ANNOTATION_CHART_HOOKS: (IGNORE_HOOKS,),
    ANNOTATION_DEPENDENCIES: ("Check", "Warn", "Ignore"),
    ANNOTATION_HOLD_MAJOR: ("true", "false"),
}


_FREE = frozenset({ANNOTATION_CRD_ACCEPT})
"""Extras whose values are a language of their own; what reads them says what is wrong."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What shapes the objects of a rollout beside its bundle and its configuration."""

    has_api_roles: bool = False
    ignores_hooks: bool = False
    proxy: Mapping[str, str] = field(default_factory=dict)
    """The environment of the cluster's proxy."""

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
    )


def holds_major(annotations: Mapping[str, str]) -> bool:
    """Whether upgrades to another major version are held back."""
    return annotations.get(ANNOTATION_HOLD_MAJOR) == "true"


def strange_extras(annotations: Mapping[str, str]) -> Iterator[str]:
    """A sentence for every extra that is unknown or has a value without meaning, by name; none of them is a failure."""
    for name, value in sorted(annotations.items()):
        if not name.startswith(EXTRAS_PREFIX) or name in _FREE:
            continue
        if name not in _KNOWN:
            known = ", ".join(sorted({*_KNOWN, *_FREE}))
            yield f'annotation "{name}" is not known and has no effect: expected one of {known}'
        elif value not in _KNOWN[name]:
            yield f'annotation "{name}" has no effect: expected one of {", ".join(_KNOWN[name])}, found "{value}"'
