"""What the certificate provider renders beside the webhooks."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import served_deployments

__all__ = ["certificate_objects"]


def certificate_objects(rendering: Rendering) -> Iterator[Manifest]:
    """The objects per deployment that webhooks name, sorted by the name of the certificate.

    Rule: bundle-rendering.md 10.0, 10.11.
    """
    served = (name for name, _ in served_deployments(rendering.bundle))
    certificates = [ServingCertificate(name, rendering.install_namespace) for name in served]
    for certificate in sorted(certificates, key=lambda each: each.secret):
        yield from rendering.provider.objects(certificate)
