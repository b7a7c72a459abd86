"""What a certificate provider is, and the names around one serving certificate.

Rule: bundle-rendering.md 10.1, 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from olmv1.manifests import Manifest
from operator_controller.renderer.names import cert_name, issuer_name, service_name

__all__ = ["Certificates", "Provider", "ServingCertificate"]


class Certificates(StrEnum):
    """Who makes the certificates of webhooks; `none` refuses bundles that have webhooks."""

    NONE = "none"
    CERT_MANAGER = "cert-manager"
    SERVICE_CA = "service-ca"
    SELF_SIGNED = "self-signed"


@dataclass(frozen=True, slots=True)
class ServingCertificate:
    """The certificate with which the webhooks of one deployment answer, in the install namespace."""

    deployment: str
    namespace: str

    @property
    def service(self) -> str:
        """The Service through which the API server reaches the deployment."""
        return service_name(self.deployment)

    @property
    def secret(self) -> str:
        """The Secret with `tls.crt` and `tls.key`."""
        return cert_name(self.deployment)

    @property
    def issuer(self) -> str:
        """The cert-manager Issuer of the certificate."""
        return issuer_name(self.deployment)

    @property
    def host(self) -> str:
        """`<service>.<namespace>`, the shortest name that works from everywhere in the cluster."""
        return f"{self.service}.{self.namespace}"


def _no_annotations(_: ServingCertificate) -> Mapping[str, str]:
    return {}


def _no_objects(_: ServingCertificate) -> tuple[Manifest, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Provider:
    """What is added for one certificate.

    `client_annotations` go on webhook configurations and converted CRDs, which must trust the certificate;
    `service_annotations` on the Service; `objects` are rendered beside. `serves` tells whether there are certificates.
    """

    client_annotations: Callable[[ServingCertificate], Mapping[str, str]] = _no_annotations
    service_annotations: Callable[[ServingCertificate], Mapping[str, str]] = _no_annotations
    objects: Callable[[ServingCertificate], tuple[Manifest, ...]] = _no_objects
    serves: bool = True
