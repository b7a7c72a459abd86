"""The closed lists of condition types and reasons: only these words reach a status.

The `status` rooms take them from here; nothing else builds conditions.
Rule: clusterextension.md 2 and 5, clustercatalog.md 2 and 6, revisions.md 6.2.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["ConditionStatus", "ConditionType", "Reason"]


class ConditionStatus(StrEnum):
    """What a condition can say."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class ConditionType(StrEnum):
    """Every condition type of the three kinds."""

    # all three
    PROGRESSING = "Progressing"
    # ClusterExtension, ClusterObjectSet
    AVAILABLE = "Available"
    READY = "Ready"
    RECONCILING = "Reconciling"
    STALLED = "Stalled"
    # ClusterExtension
    INSTALLED = "Installed"
    DEPRECATED = "Deprecated"
    PACKAGE_DEPRECATED = "PackageDeprecated"
    CHANNEL_DEPRECATED = "ChannelDeprecated"
    BUNDLE_DEPRECATED = "BundleDeprecated"
    DEPENDENCIES_SATISFIED = "DependenciesSatisfied"
    CLUSTER_UPGRADEABLE = "ClusterUpgradeable"
    UPGRADE_PENDING = "UpgradePending"
    # ClusterObjectSet
    SUCCEEDED = "Succeeded"
    # ClusterCatalog
    SERVING = "Serving"


class Reason(StrEnum):
    """Every reason of those conditions."""

    # Progressing (and Installed, Succeeded)
    SUCCEEDED = "Succeeded"
    RETRYING = "Retrying"
    BLOCKED = "Blocked"
    INVALID_CONFIGURATION = "InvalidConfiguration"
    ROLLING_OUT = "RollingOut"
    PROGRESS_DEADLINE_EXCEEDED = "ProgressDeadlineExceeded"
    PAUSED = "Paused"
    # Installed
    FAILED = "Failed"
    ABSENT = "Absent"
    # the four deprecation conditions
    DEPRECATED = "Deprecated"
    NOT_DEPRECATED = "NotDeprecated"
    DEPRECATION_STATUS_UNKNOWN = "DeprecationStatusUnknown"
    # DependenciesSatisfied of an extension
    SATISFIED = "Satisfied"
    UNSATISFIED = "Unsatisfied"
    INVALID_CONSTRAINT = "InvalidConstraint"
    NOT_EVALUATED = "NotEvaluated"
    # ClusterUpgradeable of an extension
    COMPATIBLE = "Compatible"
    INCOMPATIBLE = "IncompatibleWithNextMinor"
    INVALID_MAXIMUM = "InvalidMaxOpenShiftVersion"
    METADATA_UNAVAILABLE = "MetadataUnavailable"
    # UpgradePending of an extension
    APPROVAL_REQUIRED = "ApprovalRequired"
    # Available of an extension or a revision
    PROBES_SUCCEEDED = "ProbesSucceeded"
    PROBE_FAILURE = "ProbeFailure"
    RECONCILING = "Reconciling"
    ARCHIVED = "Archived"
    # Serving of a catalog
    AVAILABLE = "Available"
    UNAVAILABLE = "Unavailable"
    USER_SPECIFIED_UNAVAILABLE = "UserSpecifiedUnavailable"
