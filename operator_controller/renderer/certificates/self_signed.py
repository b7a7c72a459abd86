"""Certificates that this controller makes itself: annotations tell the engine what to fill in.

No Secret is rendered, so that no private key ever is part of a revision. Rule: bundle-rendering.md 15, row 17.
"""

from __future__ import annotations

from collections.abc import Mapping

from olmv1.api.names import ANNOTATION_INJECT_CA, ANNOTATION_SERVING_CERT
from operator_controller.renderer.certificates.provider import Provider, ServingCertificate

__all__ = ["SELF_SIGNED"]


def _client_annotations(certificate: ServingCertificate) -> Mapping[str, str]:
    return {ANNOTATION_INJECT_CA: f"{certificate.namespace}/{certificate.secret}"}


def _service_annotations(certificate: ServingCertificate) -> Mapping[str, str]:
    return {ANNOTATION_SERVING_CERT: certificate.secret}


SELF_SIGNED = Provider(client_annotations=_client_annotations, service_annotations=_service_annotations)
