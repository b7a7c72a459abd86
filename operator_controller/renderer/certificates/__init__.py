"""Certificate providers: who makes the serving certificates of webhooks; one provider, one file.

The generators ask `provider_of` what to annotate and which objects to add. Rule: bundle-rendering.md 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from operator_controller.renderer.certificates.cert_manager import CERT_MANAGER
from operator_controller.renderer.certificates.none import NONE
from operator_controller.renderer.certificates.provider import Certificates, Provider, ServingCertificate
from operator_controller.renderer.certificates.self_signed import SELF_SIGNED
from operator_controller.renderer.certificates.service_ca import SERVICE_CA

__all__ = ["Certificates", "Provider", "ServingCertificate", "provider_of"]

_PROVIDERS: Mapping[Certificates, Provider] = MappingProxyType(
    {
        Certificates.NONE: NONE,
        Certificates.CERT_MANAGER: CERT_MANAGER,
        Certificates.SERVICE_CA: SERVICE_CA,
        Certificates.SELF_SIGNED: SELF_SIGNED,
    }
)


def provider_of(certificates: Certificates) -> Provider:
    """What the provider adds to a rendering."""
    return _PROVIDERS[certificates]
