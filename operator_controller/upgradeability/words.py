"""The words of the platform's own conditions, which are not ours to choose. Rule: upgradeable.md 3.5, 3.6, 5.1, 6.4."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["PlatformCondition", "PlatformReason"]


class PlatformCondition(StrEnum):
    """Condition types of a ClusterOperator, and the one of the OLM object that is folded into it."""

    UPGRADEABLE = "Upgradeable"
    AVAILABLE = "Available"
    PROGRESSING = "Progressing"
    DEGRADED = "Degraded"
    INSTALLED_OPERATORS_UPGRADEABLE = "InstalledOLMOperatorsUpgradeable"


class PlatformReason(StrEnum):
    """Reasons of those; all but the first get a prefix when they are folded."""

    AS_EXPECTED = "AsExpected"
    INCOMPATIBLE = "IncompatibleOperatorsInstalled"
    UNREADABLE = "FailureGettingExtensionMetadata"
    VERSION_UNKNOWN = "ClusterVersionUnavailable"
