"""What a requirement asks for, as values: four leaves, the cluster's version, and three compounds.

Made by the parsers of this room, judged by `evaluation` and `classic`, shown by `text`. Rule: dependencies.md 2, 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from olmv1.versions import SkipRange, Version

__all__ = [
    "AllOf",
    "AnyOf",
    "ApiRequired",
    "Compound",
    "KubernetesRequired",
    "LabelRequired",
    "Leaf",
    "NoneOf",
    "PackageRequired",
    "Predicate",
    "RuleRequired",
]


@dataclass(frozen=True, slots=True)
class PackageRequired:
    """A version of a package in a range; the range language of catalogs, pre-releases are versions like others."""

    package: str
    range: SkipRange
    failure_message: str = ""
    is_spelled_name: bool = field(default=False, compare=False)
    """Whether the package was given as `name`, which only the documentation knows."""


@dataclass(frozen=True, slots=True)
class ApiRequired:
    """A kind in exactly this version; the group is empty for the core of Kubernetes."""

    group: str
    version: str
    kind: str
    failure_message: str = ""

    @property
    def api(self) -> tuple[str, str, str]:
        """Group, version, kind."""
        return (self.group, self.version, self.kind)


@dataclass(frozen=True, slots=True)
class LabelRequired:
    """A bundle with the property `olm.label` of this label."""

    label: str
    failure_message: str = ""


@dataclass(frozen=True, slots=True)
class RuleRequired:
    """A bundle whose properties fulfil a rule in CEL."""

    rule: str
    failure_message: str = ""


@dataclass(frozen=True, slots=True)
class KubernetesRequired:
    """A cluster of at least this version."""

    minimum: Version
    failure_message: str = ""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds."""

    parts: tuple[Predicate, ...]
    failure_message: str = ""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Predicate, ...]
    failure_message: str = ""


@dataclass(frozen=True, slots=True)
class NoneOf:
    """No part holds."""

    parts: tuple[Predicate, ...]
    failure_message: str = ""


Leaf = PackageRequired | ApiRequired | LabelRequired | RuleRequired | KubernetesRequired
Compound = AllOf | AnyOf | NoneOf
Predicate = Leaf | Compound
