"""What one extension says about the next minor version of the cluster. Rule: upgradeable.md 6.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, Truth
from operator_controller.upgradeability.maximum import Maximum, read_maximum
from operator_controller.upgradeability.minor import Minor

__all__ = ["BundleFacts", "Verdict", "VerdictKind", "unknown_verdict", "verdict_at", "verdict_of"]


class VerdictKind(StrEnum):
    """The four answers; each is the reason of the condition."""

    COMPATIBLE = Reason.COMPATIBLE.value
    INCOMPATIBLE = Reason.INCOMPATIBLE.value
    INVALID = Reason.INVALID_MAXIMUM.value
    UNKNOWN = Reason.METADATA_UNAVAILABLE.value


@dataclass(frozen=True, slots=True)
class BundleFacts:
    """One bundle of an extension: installed, or being rolled out over it.

    `properties` is the recorded annotation `olm.properties`, `None` when there is none. `is_readable` is false when
    what was recorded is lost.
    """

    name: str
    properties: str | None
    is_readable: bool = True
    package: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of one extension; `bundle` decided it. `maximum` is `None` when none is declared or readable."""

    kind: VerdictKind
    bundle: BundleFacts
    maximum: Minor | None
    message: str
    warnings: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether the cluster must not go to its next minor version."""
        return self.kind in (VerdictKind.INCOMPATIBLE, VerdictKind.INVALID)

    @property
    def condition(self) -> Condition:
        """The condition of the ClusterExtension."""
        return Condition(
            ConditionType.CLUSTER_UPGRADEABLE, _STATUS.get(self.kind, "False"), self.kind.value, self.message
        )


_STATUS: Mapping[VerdictKind, Truth] = {VerdictKind.COMPATIBLE: "True", VerdictKind.UNKNOWN: "Unknown"}
_GRAVITY = (VerdictKind.INVALID, VerdictKind.INCOMPATIBLE, VerdictKind.UNKNOWN, VerdictKind.COMPATIBLE)


def verdict_of(bundles: Sequence[BundleFacts], current: Minor) -> Verdict | None:
    """The answer about the minor version after `current`; as `verdict_at`."""
    return verdict_at(bundles, current.next)


def verdict_at(bundles: Sequence[BundleFacts], wanted: Minor) -> Verdict | None:
    """The gravest answer among the bundles of an extension, of equal ones the lower maximum; `None` without bundles."""
    found = [_judge(bundle, wanted) for bundle in bundles]
    ranked = sorted(found, key=lambda each: (_GRAVITY.index(each.kind), each.maximum is None, each.maximum or wanted))
    return ranked[0] if ranked else None


def unknown_verdict(bundles: Sequence[BundleFacts], reason: str) -> Verdict | None:
    """The answer while the version of the cluster cannot be had; `None` without bundles."""
    return Verdict(VerdictKind.UNKNOWN, bundles[-1], None, reason) if bundles else None


def _judge(bundle: BundleFacts, wanted: Minor) -> Verdict:
    if not bundle.is_readable:
        text = f'the properties of bundle "{bundle.name}" cannot be read'
        return Verdict(VerdictKind.UNKNOWN, bundle, None, text)
    maximum = read_maximum(bundle.properties)
    if maximum.problems:
        return _verdict(VerdictKind.INVALID, bundle, maximum, "\n".join(maximum.problems))
    if maximum.minor is None:
        return _verdict(VerdictKind.COMPATIBLE, bundle, maximum, "no maximum declared")
    if maximum.minor >= wanted:
        text = f'bundle "{bundle.name}" supports OpenShift up to {maximum.minor}'
        return _verdict(VerdictKind.COMPATIBLE, bundle, maximum, text)
    text = (
        f'bundle "{bundle.name}" supports OpenShift up to {maximum.minor}; '
        f"it must be updated or removed before the cluster can go to {wanted}"
    )
    return _verdict(VerdictKind.INCOMPATIBLE, bundle, maximum, text)


def _verdict(kind: VerdictKind, bundle: BundleFacts, maximum: Maximum, text: str) -> Verdict:
    return Verdict(kind, bundle, maximum.minor, text, maximum.warnings)
