"""Who makes the certificates of webhooks on a cluster: what was asked for, else what the cluster offers.

Rule: bundle-rendering.md 11 and 15 row 17; architecture section 5.
"""

from __future__ import annotations

from collections.abc import Collection

from olmv1.served import Served
from operator_controller.renderer.certificates import Certificates

__all__ = ["AUTO", "choose_provider"]

AUTO = "auto"

_CERT_MANAGER = "cert-manager.io"
_SERVICE_CA = "operator.openshift.io"


def choose_provider(flag: str, served: Served, removed: Collection[Certificates] = ()) -> Certificates:
    """The provider for new revisions.

    `flag` is `auto` or the name of a provider, `removed` the providers that feature gates switched off. `auto` takes
    cert-manager where Certificates and Issuers are served, else the service CA of OpenShift where there is one, else
    the built-in provider. A provider that was asked for and is removed leaves none: bundles with webhooks are refused.

    Raises:
        ValueError: no provider has that name.
    """
    if flag != AUTO:
        wanted = Certificates(flag)
        return Certificates.NONE if wanted in removed else wanted
    offered = {
        Certificates.CERT_MANAGER: served.has(_CERT_MANAGER, "Certificate", "v1")
        and served.has(_CERT_MANAGER, "Issuer", "v1"),
        Certificates.SERVICE_CA: served.has(_SERVICE_CA, "ServiceCA"),
        Certificates.SELF_SIGNED: True,
    }
    return next(
        (provider for provider, is_offered in offered.items() if is_offered and provider not in removed),
        Certificates.NONE,
    )
