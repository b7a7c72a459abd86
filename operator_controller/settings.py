"""The settings of the operator-controller: what both daemons have, and its own flags."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from olmv1.settings import BindAddress, CommonSettings, Gate, GateKind
from olmv1.settings.common import ObjectName
from operator_controller.renderer import Certificates

__all__ = ["Settings"]

_ALWAYS = "it is always done"
_NOTHING = "it is known from older releases and has no effect"


class Settings(CommonSettings):
    """What the operator-controller is told at start; each field is a flag, and an environment variable."""

    model_config = SettingsConfigDict(env_prefix="OPERATOR_CONTROLLER_")

    known_gates: ClassVar[tuple[Gate, ...]] = (
        Gate("SingleOwnNamespaceInstallSupport", True, GateKind.FIXED, _ALWAYS),
        Gate("BoxcutterRuntime", True, GateKind.FIXED, _ALWAYS),
        Gate("DeploymentConfig", True, GateKind.FIXED, _ALWAYS),
        Gate("BundleReleaseSupport", True, GateKind.FIXED, _ALWAYS),
        Gate("WebhookProviderCertManager", True),
        Gate("WebhookProviderOpenshiftServiceCA", True),
        Gate("PreflightPermissions", True, GateKind.FIXED, _NOTHING),
        Gate("HelmChartSupport", False, GateKind.FIXED, _NOTHING),
        Gate(
            "SyntheticPermissions",
            False,
            GateKind.REFUSED,
            "name a service account in spec.serviceAccount.name; it is impersonated",
        ),
    )
    default_metrics_address: ClassVar[BindAddress] = BindAddress(None, 8443)
    tls_pair_message: ClassVar[str] = (
        "unable to configure TLS certificates: tls-cert and tls-key flags must be used together"
    )

    cache_path: Path = Field(
        Path("/var/cache/operator-controller"), description="folder for packages of catalogs and unpacked bundles"
    )
    cache_max_mebibytes: int = Field(2048, ge=64, description="most that unpacked bundles may take up, in MiB")
    catalogd_cas_dir: Path | None = Field(None, description="folder with the CA certificates of catalogd")
    catalogd_ca_secret: ObjectName = Field(
        "",
        description="Secret of the system namespace whose ca.crt is trusted, too, and followed: the one that catalogd "
        "keeps with --own-certificates",
    )
    unscoped_extensions: Literal["deny", "allow"] = Field(
        "deny",
        description="what to do with extensions that name no service account: deny, or allow (act as the controller)",
    )
    cert_provider: Literal["auto", "none", "cert-manager", "service-ca", "self-signed"] = Field(
        "auto",
        description="who makes the certificates of webhooks: auto takes cert-manager, else the service CA of "
        "OpenShift, else the controller's own (self-signed); none refuses bundles with webhooks",
    )
    cluster_operator: Literal["auto", "direct", "olm-status", "off"] = Field(
        "auto",
        description="where OpenShift is told whether the cluster may be upgraded: the ClusterOperator olm (direct), "
        "the OLM object that a platform operator reads (olm-status), nowhere (off), or what fits the cluster (auto)",
    )
    openshift_version: str = Field("", description="OpenShift version to judge upgrades by, instead of the cluster's")
    helm: str = Field("helm", description="the helm command that renders charts, a path or a name to find in PATH")
    workers: int = Field(8, ge=1, le=64, description="extensions, and revisions, that are worked on at once")

    @field_validator("catalogd_cas_dir", mode="before")
    @classmethod
    def _no_folder(cls, value: object) -> object:
        return None if value == "" else value

    def served_hosts(self) -> tuple[str, ...]:
        """The Service for the metrics."""
        host = f"operator-controller-service.{self.namespace}.svc"
        return (host, f"{host}.cluster.local")

    @property
    def removed_providers(self) -> frozenset[Certificates]:
        """The certificate providers that feature gates switch off."""
        gates = {
            "WebhookProviderCertManager": Certificates.CERT_MANAGER,
            "WebhookProviderOpenshiftServiceCA": Certificates.SERVICE_CA,
        }
        return frozenset(provider for gate, provider in gates.items() if not self.feature_gates.is_on(gate))

    @property
    def allow_unscoped(self) -> bool:
        """Whether extensions without an account act as the controller."""
        return self.unscoped_extensions == "allow"
