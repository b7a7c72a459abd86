"""May this cluster be upgraded? What installed bundles say about the next minor version of OpenShift.

Pure. Called by the reconciler of extensions for each extension's verdict, by the reporter of the ClusterOperator for
their sum, and by `olm check-upgrade`. Rule: upgradeable.md.
"""

from operator_controller.upgradeability.cluster_version import CurrentVersion, current_version
from operator_controller.upgradeability.maximum import Maximum, read_maximum
from operator_controller.upgradeability.minor import Minor
from operator_controller.upgradeability.report import Report, report_of
from operator_controller.upgradeability.verdict import (
    BundleFacts,
    Verdict,
    VerdictKind,
    unknown_verdict,
    verdict_at,
    verdict_of,
)
from operator_controller.upgradeability.words import PlatformCondition, PlatformReason

__all__ = [
    "BundleFacts",
    "CurrentVersion",
    "Maximum",
    "Minor",
    "PlatformCondition",
    "PlatformReason",
    "Report",
    "Verdict",
    "VerdictKind",
    "current_version",
    "read_maximum",
    "report_of",
    "unknown_verdict",
    "verdict_at",
    "verdict_of",
]
