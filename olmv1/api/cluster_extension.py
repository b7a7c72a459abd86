"""ClusterExtension: which package a user wants, where, and what became of it.

Rule: clusterextension.md 1; the schema is `config/crd/olm.operatorframework.io_clusterextensions.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from olmv1.api.objects import ApiModel, ApiObject, LabelSelector, StatusCondition, TupleOf

__all__ = [
    "ActiveRevision",
    "AvailableUpgrade",
    "BundleMetadata",
    "CatalogFilter",
    "ClusterExtension",
    "ClusterExtensionSpec",
    "ClusterExtensionStatus",
    "Config",
    "CrdUpgradeSafety",
    "Install",
    "InstallStatus",
    "Preflight",
    "ServiceAccountReference",
    "Source",
    "UpgradeConstraintPolicy",
]

UpgradeConstraintPolicy = Literal["CatalogProvided", "SelfCertified"]

DnsSubdomain = Annotated[str, Field(max_length=253)]


class ServiceAccountReference(ApiModel):
    """The account that everything is applied as; it lives in `spec.namespace`. `name` is `None` when none is named."""

    name: Annotated[str, Field(min_length=1, max_length=253)] | None = None


class CatalogFilter(ApiModel):
    """What to look for in the catalogs; `version` is a range as text, no `channels` means all channels."""

    package_name: DnsSubdomain
    version: Annotated[str, Field(max_length=64)] | None = None
    channels: Annotated[TupleOf[DnsSubdomain], Field(max_length=256)] = ()
    selector: LabelSelector | None = None
    upgrade_constraint_policy: UpgradeConstraintPolicy = "CatalogProvided"


class Source(ApiModel):
    """Where the content comes from: catalogs, the only source there is."""

    source_type: Literal["Catalog"]
    catalog: CatalogFilter


class CrdUpgradeSafety(ApiModel):
    """Whether a CRD of an upgrade is checked against stored custom resources."""

    enforcement: Literal["None", "Strict"]


class Preflight(ApiModel):
    """Checks before an install or upgrade."""

    crd_upgrade_safety: Annotated[CrdUpgradeSafety, Field(alias="crdUpgradeSafety")]


class Install(ApiModel):
    """How to install."""

    preflight: Preflight


class Config(ApiModel):
    """Configuration of the bundle, `inline` as the user wrote it; the bundle's own schema validates it."""

    config_type: Literal["Inline"]
    inline: Annotated[Mapping[str, Any], Field(min_length=1)]


class ClusterExtensionSpec(ApiModel):
    """What the user wants; `progress_deadline_minutes` is `None` for no deadline."""

    namespace: Annotated[str, Field(max_length=63)]
    service_account: ServiceAccountReference = Field(default_factory=ServiceAccountReference)
    source: Source
    install: Install | None = None
    config: Config | None = None
    progress_deadline_minutes: Annotated[int, Field(ge=10, le=720)] | None = None

    @property
    def enforces_crd_upgrade_safety(self) -> bool:
        """Whether the check of CRDs is on; it is unless `install.preflight` turns it off."""
        return self.install is None or self.install.preflight.crd_upgrade_safety.enforcement == "Strict"


class BundleMetadata(ApiModel):
    """The installed bundle; `release` is `None` when unknown, which differs from empty."""

    name: str
    version: str
    release: Annotated[str, Field(max_length=20)] | None = None


class InstallStatus(ApiModel):
    """What is installed; `catalog` is an extra of ours, the catalog that the bundle was chosen from."""

    bundle: BundleMetadata
    catalog: DnsSubdomain | None = None


class ActiveRevision(ApiModel):
    """A ClusterObjectSet of the extension that is not archived."""

    name: str
    conditions: TupleOf[StatusCondition] = ()


class AvailableUpgrade(ApiModel):
    """A bundle that the installed one could be replaced by in one step; an extra of ours."""

    bundle: Annotated[str, Field(max_length=1024)]
    version: Annotated[str, Field(max_length=1024)]
    release: Annotated[str, Field(max_length=1024)] | None = None
    catalog: DnsSubdomain | None = None


class ClusterExtensionStatus(ApiModel):
    """What was observed; written by the operator-controller only."""

    conditions: TupleOf[StatusCondition] = ()
    observed_generation: Annotated[int, Field(ge=0)] | None = None
    available_upgrades: Annotated[TupleOf[AvailableUpgrade], Field(max_length=10)] = ()
    install: InstallStatus | None = None
    active_revisions: TupleOf[ActiveRevision] = ()
    last_handled_requested_at: Annotated[str, Field(max_length=256)] | None = None


class ClusterExtension(ApiObject):
    """One extension of the cluster."""

    api_version: Literal["olm.operatorframework.io/v1"] = "olm.operatorframework.io/v1"
    kind: Literal["ClusterExtension"] = "ClusterExtension"
    spec: ClusterExtensionSpec
    status: ClusterExtensionStatus = Field(default_factory=ClusterExtensionStatus)
