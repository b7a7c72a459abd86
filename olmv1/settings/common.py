"""The settings that both daemons share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from olmv1.api.names import DEFAULT_SYSTEM_NAMESPACE
from olmv1.settings.gates import FeatureGates, Gate, parse_gates
from olmv1.settings.values import BindAddress, parse_bind_address, parse_hosts, parse_object_name
from olmv1.tls.profiles import Profile, profile_of

__all__ = ["Address", "CommonSettings", "ObjectName", "SecretName"]

_POD_NAMESPACE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")

Address = Annotated[BindAddress | None, BeforeValidator(parse_bind_address)]
"""A bind address in a settings model; `None` is a server that is switched off."""

ObjectName = Annotated[str, AfterValidator(parse_object_name)]
"""The name of an object of the system namespace in a settings model; empty for none."""


@dataclass(frozen=True, slots=True)
class SecretName:
    """A Secret of the cluster."""

    namespace: str
    name: str

    def __str__(self) -> str:
        """`<namespace>/<name>`."""
        return f"{self.namespace}/{self.name}"


class CommonSettings(BaseSettings):
    """What both daemons are told at start. Field names are the flags' names with `_` for `-`.

    Raises (through `parse_settings`): UsageError when a value or a combination of values cannot be used.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", arbitrary_types_allowed=True, validate_default=True, env_ignore_empty=True
    )

    known_gates: ClassVar[tuple[Gate, ...]] = ()
    default_metrics_address: ClassVar[BindAddress] = BindAddress(None, 8443)
    tls_pair_message: ClassVar[str] = "tls-cert and tls-key flags must be used together"
    metrics_tls_message: ClassVar[str] = "metrics-bind-address requires tls-cert and tls-key flags to be set"

    kubeconfig: str = Field("", description="kubeconfig file; empty: the pod's account, else the user's own kubeconfig")
    leader_elect: bool = Field(False, description="take a Lease before reconciling, so that replicas take turns")
    health_probe_bind_address: Address = Field(
        BindAddress(None, 8081), description="address of /healthz and /readyz; 0 switches it off"
    )
    metrics_bind_address: Address = Field(
        None, description="address of /metrics; on as soon as a certificate is given; 0 switches it off"
    )
    pprof_bind_address: Address = Field(None, description="accepted for the reference's manifests, without effect")
    tls_cert: Path | None = Field(None, description="certificate file (PEM) of every server; needs --tls-key")
    tls_key: Path | None = Field(None, description="key file (PEM) of every server; needs --tls-cert")
    own_certificates: ObjectName = Field(
        "",
        description="Secret of the system namespace in which the process keeps an authority and a serving certificate "
        "of its own, instead of --tls-cert and --tls-key",
    )
    own_certificate_names: str = Field(
        "", description="further DNS names and addresses for the certificate of --own-certificates, comma separated"
    )
    tls_profile: str = Field("intermediate", description="modern, intermediate, old or custom")
    tls_custom_version: str = Field("TLSv1.2", description="lowest version with --tls-profile=custom")
    tls_custom_ciphers: str = Field("", description="ciphers with --tls-profile=custom, comma separated")
    tls_custom_curves: str = Field("", description="curves with --tls-profile=custom, comma separated")
    system_namespace: str = Field("", description="namespace of the system; empty: the pod's own, else olmv1-system")
    global_pull_secret: Annotated[SecretName | None, NoDecode] = Field(
        None, description="<namespace>/<name> of a Secret with registry credentials for every pull"
    )
    pull_cas_dir: Path | None = Field(None, description="folder with CA and client certificates for registries")
    require_image_policy: bool = Field(
        False, description="refuse every image while there is no policy.json, instead of accepting with a warning"
    )
    feature_gates: Annotated[FeatureGates, NoDecode] = Field(
        FeatureGates({}), description="Name=true|false pairs, comma separated and repeatable"
    )
    v: int = Field(0, ge=0, description="verbosity of the log: 0 decisions, 1 and more steps")

    @field_validator("tls_cert", "tls_key", "pull_cas_dir", mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return None if value == "" else value

    @field_validator("global_pull_secret", mode="before")
    @classmethod
    def _secret(cls, value: Any) -> SecretName | None:
        if not value or isinstance(value, SecretName):
            return value or None
        namespace, slash, name = str(value).partition("/")
        if not (slash and namespace and name) or "/" in name:
            raise ValueError("value of global-pull-secret should be of the format <namespace>/<name>")
        return SecretName(namespace, name)

    @field_validator("feature_gates", mode="before")
    @classmethod
    def _gates(cls, value: Any) -> FeatureGates:
        if isinstance(value, FeatureGates):
            return value if value.states else parse_gates((), cls.known_gates)
        return parse_gates([value] if isinstance(value, str) else value, cls.known_gates)

    @model_validator(mode="before")
    @classmethod
    def _metrics_follow_certificate(cls, values: dict[str, Any]) -> dict[str, Any]:
        has_certificate = values.get("own_certificates") or (values.get("tls_cert") and values.get("tls_key"))
        if values.get("metrics_bind_address") in (None, "") and has_certificate:
            return {**values, "metrics_bind_address": cls.default_metrics_address}
        return values

    @model_validator(mode="after")
    def _combinations(self) -> CommonSettings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError(self.tls_pair_message)
        if self.own_certificates and self.tls_cert is not None:
            raise ValueError("own-certificates cannot be used together with tls-cert and tls-key")
        if self.metrics_bind_address is not None and not self.has_certificate:
            raise ValueError(self.metrics_tls_message)
        if self.own_certificates:
            self.certificate_names()
        self.profile()
        return self

    @property
    def has_certificate(self) -> bool:
        """Whether the servers of the process speak TLS."""
        return self.tls_cert is not None or bool(self.own_certificates)

    @property
    def namespace(self) -> str:
        """The system namespace: as told, else the pod's own, else `olmv1-system`."""
        if self.system_namespace:
            return self.system_namespace
        if namespace := os.environ.get("POD_NAMESPACE"):
            return namespace
        try:
            return _POD_NAMESPACE.read_text(encoding="utf8").strip() or DEFAULT_SYSTEM_NAMESPACE
        except OSError:
            return DEFAULT_SYSTEM_NAMESPACE

    def certificate_names(self) -> tuple[str, ...]:
        """The DNS names and addresses that the certificate of `own_certificates` is for, each once.

        Raises:
            ValueError: one is neither a DNS name nor an address.
        """
        hosts = (*self.served_hosts(), "localhost", *self.own_certificate_names.split(","))
        return parse_hosts(hosts)

    def served_hosts(self) -> tuple[str, ...]:
        """The hosts under which others reach the servers of the process; each component has its own."""
        return ()

    def profile(self) -> Profile:
        """The TLS rules of every server of the process.

        Raises:
            ValueError: a name in the TLS flags is unknown; the message lists the known ones.
        """
        return profile_of(
            self.tls_profile,
            version=self.tls_custom_version,
            ciphers=self.tls_custom_ciphers,
            curves=self.tls_custom_curves,
        )

    def notices(self) -> tuple[str, ...]:
        """What was asked for and has no effect, one sentence each, for the log at start."""
        unused = ["pprof-bind-address has no effect: there is no profiler"] if self.pprof_bind_address else []
        if self.own_certificate_names and not self.own_certificates:
            unused.append("own-certificate-names has no effect without own-certificates")
        return (*self.feature_gates.notices, *unused)
