"""Which upgrades wait. Rule: decision 20."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from olmv1.versions import Version
from operator_controller.approval.names import ANNOTATION_UPGRADE_POLICY
from operator_controller.revisions.desired import BundleIdentity

__all__ = ["UpgradePolicy", "needs_approval", "policy_of"]


class UpgradePolicy(StrEnum):
    """The values of the annotation `upgrade-policy`."""

    AUTO = "Auto"
    """Nothing waits."""
    Z_STREAM = "ZStream"
    """Steps within one minor version do not wait."""
    MANUAL = "Manual"
    """Every other bundle waits."""


def policy_of(annotations: Mapping[str, str]) -> UpgradePolicy:
    """The policy of an extension.

    A value without meaning is told as a Warning like any other extra, and counts as `Manual`: whoever misspelled it
    wanted something to wait.
    """
    try:
        return UpgradePolicy(annotations.get(ANNOTATION_UPGRADE_POLICY, UpgradePolicy.AUTO))
    except ValueError:
        return UpgradePolicy.MANUAL


def needs_approval(policy: UpgradePolicy, installed: BundleIdentity | None, wanted: BundleIdentity) -> bool:
    """Whether the way from `installed` (`None`: the first install) to `wanted` waits for approval.

    The same bundle with another configuration, account or image waits under no policy: whoever may edit the spec may
    approve as well, and has said what they want. What a catalog brings by itself is what approval is about.
    """
    if installed is None or installed.is_same_as == wanted.is_same_as:
        return False
    match policy:
        case UpgradePolicy.AUTO:
            return False
        case UpgradePolicy.Z_STREAM:
            return not _is_z_step(installed.version, wanted.version)
        case UpgradePolicy.MANUAL:
            return True


def _is_z_step(installed: str, wanted: str) -> bool:
    """Whether both have the same major and minor version; of a version that nobody can read it is not known."""
    try:
        one, other = Version.parse(installed), Version.parse(wanted)
    except ValueError:
        return False
    return (one.major, one.minor) == (other.major, other.minor)
